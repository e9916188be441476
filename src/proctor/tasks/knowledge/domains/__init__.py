"""The tasks by what they are about: which things are drawn, what may be asked of them, in which scene."""
