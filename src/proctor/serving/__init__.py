"""A policy as a server: an engine with adaptive batching, and one front-end for each wire."""

from proctor.policies import Batching

from ._alone import StandAloneServer
from ._device import Device, DeviceError, LocalDevice
from ._engine import Engine
from ._here import serve_object
from ._process import process_devices
from ._replica import Answer, EngineError
from ._run import FRONT_ENDS, ServeOptions, run_server
from ._template import template_text

__all__ = [
    "FRONT_ENDS",
    "Answer",
    "Batching",
    "Device",
    "DeviceError",
    "Engine",
    "EngineError",
    "LocalDevice",
    "ServeOptions",
    "StandAloneServer",
    "process_devices",
    "run_server",
    "serve_object",
    "template_text",
]
