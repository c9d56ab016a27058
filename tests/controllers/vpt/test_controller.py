"""VPT as a controller chooses its files in a folder."""

import pytest
import torch

from optimus_gym.controllers.vpt.vpt import VPTController
from optimus_gym.core.errors import BadValue
from tests.controllers.play import setting_of
from tests.controllers.vpt.files import write_vpt

BIAS = "pi_head.buttons.linear_layer.bias"


@pytest.fixture
def folder(tmp_path):
    """Return a folder with the files `a` and `b`, which differ in one number."""
    folder = write_vpt(tmp_path / "vpt")
    state = torch.load(folder / "a.weights", weights_only=True)
    state[BIAS][0] = 123
    torch.save(state, folder / "b.weights")
    (folder / "b.model").write_bytes((folder / "a.model").read_bytes())
    return folder


def first_bias(source, **files):
    controller = VPTController(str(source), **files)
    controller.attach(setting_of(resolution=(128, 128)))
    return controller._stepper.policy.state_dict()[BIAS][0].item()


def test_the_only_files_of_a_folder_need_no_names(tmp_path):
    assert first_bias(write_vpt(tmp_path / "one")) != 123


def test_one_of_several_files_is_chosen_by_its_name(folder):
    assert first_bias(folder, model="a.model", weights="b.weights") == 123
    assert first_bias(folder, model="b.model", weights="a.weights") != 123
    assert first_bias(folder, model="a.model", weights=str(folder / "b.weights")) == 123


def test_the_home_of_an_unknown_user_is_rejected():
    for options in ({}, {"model": "~nobody-of-this-name/a.model"}):
        with pytest.raises(BadValue, match="source: expected"):
            VPTController("~nobody-of-this-name/vpt", **options)


def test_several_files_without_a_choice_are_rejected(folder, tmp_path):
    told = r"expected one \.model file .*got \['a\.model', 'b\.model'\]; choose one by .*'model'$"
    with pytest.raises(BadValue, match=told):
        VPTController(str(folder))
    with pytest.raises(BadValue, match=r"choose one by the option 'weights'$"):
        VPTController(str(folder), model="a.model")
    page = r"\(see https://github\.com/openai/Video-Pre-Training\)"
    with pytest.raises(BadValue, match=rf"missing in '.*': c\.weights {page}$"):
        VPTController(str(folder), model="a.model", weights="c.weights")
    for nothing in (tmp_path / "none", tmp_path):
        with pytest.raises(BadValue, match=rf"expected one \.model file .*{page}, got none$"):
            VPTController(str(nothing))
