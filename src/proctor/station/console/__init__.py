"""The operator's console: a web page for the bench, on this machine, behind a token, blind to which policy runs.

with open_bench(folder, "/dev/ttyACM0", Path("arm.json"), cameras, Path("references")) as desk:
    server = ConsoleServer(desk)
    print(server.url)
    server.run()
"""

from ._bench import open_bench, references_in
from ._desk import ACTIONS, Desk, StaleError
from ._guard import Access
from ._server import ConsoleServer
from ._window import Window, WindowCamera

__all__ = [
    "ACTIONS",
    "Access",
    "ConsoleServer",
    "Desk",
    "StaleError",
    "Window",
    "WindowCamera",
    "open_bench",
    "references_in",
]
