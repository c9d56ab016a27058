"""Gymnasium environments in which a planner and a controller carry out long-horizon Minecraft tasks.

Importing the package registers its environment ids (strings only) and loads nothing heavy.
"""

from pathlib import Path as _Path

# A checkout keeps envs/, wrappers/ and baselines/ next to this folder; a wheel keeps them inside it
# (setup.cfg, package_dir). Looking in both places lets the checkout's root be the working folder.
_here = _Path(__file__).resolve().parent
if not (_here / "envs").is_dir() and (_here.parent / "setup.cfg").is_file():
    __path__.append(str(_here.parent))

from optimus_gym.core.registration import register_environments as _register  # noqa: E402

__version__ = "0.1.0.dev0"
__all__ = ["__version__"]

_register()
