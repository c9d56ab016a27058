"""The ways in which the world's functions are compiled, and where the machine code is kept.

Numba's own cache is keyed by one file's time stamp and does not notice a change in a function that is
called from another file, nor in the tables that a kernel holds as constants. Here the cache folder's
name is a hash of the kernel's source file, of every file of the package that it imports, directly or
not, and of the data files: changed sources never meet old machine code.
"""

import hashlib
import os
import re
import tempfile
from collections.abc import Callable
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from platformdirs import user_cache_path

from optimus_gym.worlds.voxel.compiling.pipeline import PartCompiler, WholeCompiler, compile_part

Function = TypeVar("Function", bound=Callable[..., Any])

CACHE_VARIABLE = "OPTIMUS_GYM_CACHE"
"""Environment variable that names another folder for compiled kernels."""
_PACKAGE = Path(__file__).resolve().parents[3]
_IMPORT = re.compile(
    r"^\s*(?:from|import) (optimus_gym[\w.]*)(?: import (\([^)]*\)|.*))?", re.MULTILINE
)


@cache
def cache_root() -> Path:
    """Return the folder under which machine code is kept: made on demand, always writable.

    `$OPTIMUS_GYM_CACHE`, else the user's cache folder, else (both read-only) a temporary folder.

    Raises:
        OSError: none of them can be written.
    """
    chosen = os.environ.get(CACHE_VARIABLE)
    roots = [Path(chosen)] if chosen else [user_cache_path("optimus-gym")]
    roots.append(Path(tempfile.gettempdir()) / f"optimus-gym-{os.getuid()}")
    for root in roots:
        folder = root / "kernels"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    raise OSError(f"no folder for compiled kernels can be written; tried {[str(r) for r in roots]}")


@cache
def _data_key() -> bytes:
    """Return a hash of what the kernels' tables are made from, beside the sources."""
    digest = hashlib.sha256(f"{numba.__version__} {version('minecraft-data')}".encode())
    for path in sorted(_PACKAGE.rglob("data/*.json")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.digest()


@cache
def _imports(file: str) -> tuple[str, ...]:
    """Return the files of the package that a source file imports."""
    files: list[str] = []
    for module, names in _IMPORT.findall(Path(file).read_text(encoding="utf-8")):
        parts = (part.split(" as ")[0].strip() for part in names.strip("()").split(","))
        for name in (module, *(f"{module}.{part}" for part in parts if part)):
            files.extend(_files_of(name))
    return tuple(dict.fromkeys(files))


@cache
def _files_of(module: str) -> tuple[str, ...]:
    """Return the source file of a module of the package; none if there is no such module.

    It is looked for on the disk, as what has been imported so far depends on who imports first.
    """
    stem = _PACKAGE.parent.joinpath(*module.split("."))
    files = (stem.with_suffix(".py"), stem / "__init__.py")
    return tuple(str(file) for file in files if file.is_file())


def source_key(file: str) -> str:
    """Return the name of the cache folder for the kernels of a source file (32 hex digits)."""
    seen = {file}
    waiting = [file]
    while waiting:
        for other in _imports(waiting.pop()):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    digest = hashlib.sha256(_data_key())
    for path in sorted(seen):
        digest.update(_file_key(path))
    return digest.hexdigest()[:32]


@cache
def _file_key(path: str) -> bytes:
    return hashlib.sha256(Path(path).read_bytes()).digest()


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Tells Numba to keep a function's machine code in the folder of its sources' hash."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        self._name = f"{py_func.__module__}.{py_func.__qualname__}"
        self._key = source_key(str(Path(py_file).resolve()))

    def get_cache_path(self) -> str:
        return str(cache_root() / self._key)

    def get_source_stamp(self) -> str:
        return self._key

    def get_disambiguator(self) -> str:
        return hashlib.sha256(self._name.encode()).hexdigest()[:8]

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "_Locator":
        return cls(py_func, py_file)


class _Impl(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = [_Locator]  # noqa: RUF012 (Numba's attribute)


class _Cache(FunctionCache):  # type: ignore[misc]
    """Numba's file cache under `cache_root()`."""

    _impl_class = _Impl


class _CacheWhenAsked:
    """The same, made when it is first used: most kernels are never called from Python."""

    def __init__(self, function: Function) -> None:
        self._function = function

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if "_made" not in vars(self):
            self._made = _Cache(self._function)
        return getattr(self._made, name)


DECORATED: list[str] = []
"""The module of each function that has been decorated, compiled or not."""


def _widened(kind: types.Type) -> types.Type:
    """Return the type that a kernel is compiled for when another kernel passes `kind`."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple):
        return types.BaseTuple.from_types([_widened(part) for part in kind.types])
    small = isinstance(kind, types.Integer) and kind.bitwidth < 64 and kind != types.uint32
    return types.int64 if small else kind


def _compiled(function: Function, widened: bool = True, **options: Any) -> Function:
    """Compile `function` when it is first called: for Python, and apart from that for other kernels.

    Most kernels are only called by kernels. For those Numba's entry from Python, which takes longer
    to compile than many a kernel, is left out; they are linked as parts (`compiling`), and (if
    `widened`) small integers are passed to them as int64, because Numba would compile a kernel anew
    for int16, int32, a literal 3, a literal 4 and so on. All that makes the first start several
    times faster. Only what Python calls is kept on disk.
    """
    passed = _widened if widened else types.unliteral
    DECORATED.append(function.__module__)
    options = {"error_model": "numpy", "nogil": True, **options}
    outer = numba.njit(pipeline_class=WholeCompiler, no_cfunc_wrapper=True, **options)(function)
    if numba.config.DISABLE_JIT:
        return outer  # type: ignore[no-any-return]
    outer._cache = _CacheWhenAsked(function)

    @cache
    def inner() -> Any:
        part = numba.njit(
            pipeline_class=PartCompiler, no_cpython_wrapper=True, no_cfunc_wrapper=True, **options
        )(function)
        part.compile = partial(compile_part, part)
        return part

    def get_call_template(args: Any, kws: Any) -> Any:
        kept = tuple(passed(kind) for kind in args)
        return inner().get_call_template(kept, {name: passed(kind) for name, kind in kws.items()})

    outer.get_call_template = get_call_template
    outer.get_overload = lambda signature: inner().get_overload(signature)
    return outer  # type: ignore[no-any-return]


def kernel(function: Function) -> Function:
    """Compile for the state of the world: exact IEEE arithmetic in the order written."""
    return _compiled(function)


def inline_kernel(function: Function) -> Function:
    """Compile like `kernel`, asking LLVM to inline it into every caller."""
    return _compiled(function, forceinline=True)


def ray_kernel(function: Function) -> Function:
    """Compile for frames: arguments keep their types, so that float32 stays float32.

    Exact IEEE arithmetic as in `kernel`: loops whose only sum is an integer are vectorised all the
    same, hence no fastmath is needed for the speed, and every CPU and path gives the same bytes.
    """
    return _compiled(function, widened=False)


def inline_ray_kernel(function: Function) -> Function:
    """Compile like `ray_kernel`, asking LLVM to inline it into every caller."""
    return _compiled(function, widened=False, forceinline=True)
