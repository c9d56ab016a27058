"""Delays the import of modules that need an optional dependency (a pip extra) until they are used."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from optimus_gym.core.errors import MissingExtra


def on_demand(package: str, modules: Mapping[str, str], extra: str) -> Callable[[str], Any]:
    """Return a `__getattr__` for a package: it imports a name's module when the name is first used.

    Args:
        package: the package's `__name__`.
        modules: for each name, the package's module that defines it.
        extra: the pip extra that the modules need.

    Returns:
        A function that raises MissingExtra if the extra is not installed.
    """

    def __getattr__(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            module = import_module(f"{package}.{modules[name]}")
        except ImportError as error:
            raise MissingExtra(f"{package}.{name}", extra) from error
        return getattr(module, name)

    return __getattr__
