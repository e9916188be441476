"""``python -m proctor``: the command line of the interpreter at hand."""

from proctor.cli import main

if __name__ == "__main__":
    main()
