"""What runs inside a foreign simulator's virtual environment, by path: nothing here imports the rest of Proctor.

``_server.py`` is the program; ``_gymnasium.py`` and ``_libero.py`` are its sides, one simulator each. They need Python
3.10, NumPy, msgpack, pyzmq and the simulator. A side says what a user must change by ``raise SystemExit("one line")``.
"""
