"""Turns episode rows into a static folder of pages in which every number links to its rows."""

from ._failures import object_class, path_classes
from ._load import ReportError
from ._site import DEFAULT_MAX_PAGES, write_report

__all__ = ["DEFAULT_MAX_PAGES", "ReportError", "object_class", "path_classes", "write_report"]
