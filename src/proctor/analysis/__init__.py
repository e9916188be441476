"""Pure functions of rows: statistics, the effect of words, kinds of failure."""
