"""The server of tools for OpenEnv; `tests/run/test_serving_tools.py` has OpenEnv's real clients."""

import sys

import pytest

from optimus_gym.core.errors import MissingExtra
from optimus_gym.serve.openenv_tools import openenv_app
from optimus_gym.wrappers import ToolSpec

SPEC = ToolSpec({"task": "Wood", "world": "symbolic"})


def test_without_the_package_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "openenv.core.env_server.http_server", None)
    with pytest.raises(MissingExtra, match=r'pip install -e "\.\[openenv\]"'):
        openenv_app(SPEC, 1)
