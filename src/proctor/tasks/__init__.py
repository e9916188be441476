"""What is asked: the language of task files, the suites, drawn tasks, the words of instructions."""
