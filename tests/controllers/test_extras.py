"""An environment whose controller lacks an extra names the extra to install."""

import subprocess
import sys

import pytest

from tests.controllers.policies import saved_model
from tests.controllers.vpt.files import write_steve1, write_vpt

WRITERS = {"sb3": saved_model, "steve-1": write_steve1, "vpt": write_vpt}


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [
        ("sb3", "stable_baselines3", "train"),
        ("steve-1", "torch", "torch"),
        ("steve-1", "tokenizers", "torch"),
        ("vpt", "torch", "torch"),
    ],
)
def test_a_missing_extra_is_named_when_the_environment_is_reset(tmp_path, name, module, extra):
    code = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "import gymnasium, optimus_gym\n"
        f"part = {{'name': {name!r}, 'source': {str(WRITERS[name](tmp_path))!r}}}\n"
        "env = gymnasium.make('Optimus-Wood-v0', controller=part, resolution=(128, 128))\n"
        "env.reset(seed=0)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith("optimus_gym.core.errors.MissingExtra: "), run.stderr
    assert f'pip install -e ".[{extra}]"' in last


@pytest.mark.parametrize(
    ("package", "name"), [("vpt", "VPTPolicy"), ("steve1", "TextToVisualPrior")]
)
def test_networks_name_the_extra_that_they_need(package, name):
    code = f"import sys; sys.modules['torch'] = None; from optimus_gym.controllers.{package} import {name}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    last = run.stderr.strip().splitlines()[-1]
    assert f"optimus_gym.controllers.{package}.{name} needs" in last
    assert 'pip install -e ".[torch]"' in last
