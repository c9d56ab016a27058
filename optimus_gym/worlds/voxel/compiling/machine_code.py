"""Machine code on the disk: a sealed file for each kernel that Python calls and each set of types.

These files replace Numba's own cache, which reads any file that lies there and keeps an index that one
process overwrites for another.
"""

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from optimus_gym.worlds.voxel.compiling import sealed
from optimus_gym.worlds.voxel.compiling.folder import cache_root
from optimus_gym.worlds.voxel.compiling.sources import source_key


class MachineCode(NullCache):  # type: ignore[misc]
    """The place where Numba loads and stores a function's machine code.

    Args:
        function: a function of a module, without a closure: sources and name determine it fully.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def _path(self, kinds: Any, codegen: Any) -> Path:
        """Return the file for argument types, on the CPU that `codegen` writes for."""
        name, file = self._function.__qualname__, self._function.__code__.co_filename
        told = repr((kinds, codegen.magic_tuple(), self._function.__code__.co_code))
        digest = hashlib.sha256(told.encode()).hexdigest()[:16]
        return cache_root() / source_key(str(Path(file).resolve())) / f"{name}.{digest}.code"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled code for argument types; None if the file is missing or damaged."""
        target_context.refresh()
        content = sealed.load(self._path(sig, target_context.codegen()))
        if content is None:
            return None
        # Numba's results can be kept as a pickle only. Only the user could write the pickle
        # (`folder.py`), and its seal shows that it is undamaged (`sealed.py`).
        return CompileResult._rebuild(target_context, *pickle.loads(content))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store the compiled code for argument types."""
        if not data.library.has_dynamic_globals:  # which are addresses of this process
            sealed.store(self._path(sig, data.codegen), dumps(data._reduce()))
