"""Conventions of published models: what each of them wants to see and what its numbers mean.

One public file is one model (or one library of models). The files also run alone, in the model's own environment
(Python 3.10 or later, no proctor): they import NumPy, Pillow and the model's library, the latter two only when they are
used, and from this folder only by statements ``from ._name import ...`` at the left margin. `adapter_source` puts the
named modules in front and drops those statements, so that `proctor serve --template NAME` is one file.
"""

from ._adapter import Adapter
from ._join import adapter_classes, adapter_names, adapter_source

__all__ = ["Adapter", "adapter_classes", "adapter_names", "adapter_source"]
