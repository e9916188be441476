"""The operator's console: a web page for the station, on this machine, behind a token, blind to which policy runs.

with open_station(folder, "/dev/ttyACM0", Path("arm.json"), cameras, Path("references")) as desk:
    server = ConsoleServer(desk)
    print(server.url)
    server.run()
"""

from ._app import make_app
from ._desk import ACTIONS, Desk, StaleError
from ._gatekeeper import Gatekeeper
from ._guard import MAX_BODY_BYTES, Access
from ._server import ConsoleServer
from ._station import open_station, references_in
from ._window import Window, WindowCamera

__all__ = [
    "ACTIONS",
    "MAX_BODY_BYTES",
    "Access",
    "ConsoleServer",
    "Desk",
    "Gatekeeper",
    "StaleError",
    "Window",
    "WindowCamera",
    "make_app",
    "open_station",
    "references_in",
]
