"""The prior has the public names and computes what its layers say."""

import pytest
import torch

from optimus_gym.controllers.steve1 import TextToVisualPrior
from optimus_gym.controllers.steve1.prior import load_prior
from optimus_gym.core.errors import BadValue
from tests.controllers.vpt.filling import filled

SHAPES = {0: (512, 1024), 1: (512,), 3: (512, 512), 4: (512,)}


def noise(seed, rows=2):
    return torch.randn(rows, 512, generator=torch.Generator().manual_seed(seed))


@pytest.fixture(scope="module")
def prior():
    return filled(TextToVisualPrior())


def test_names_shapes_and_count_equal_the_public_prior(prior):
    wanted = {}
    for part, out in (("encoder", 1024), ("decoder", 512)):
        for place, shape in {**SHAPES, 6: (out, 512)}.items():
            wanted[f"{part}.{place}.weight"] = shape
            wanted[f"{part}.{place}.bias"] = shape[:1]
    assert {name: tuple(value.shape) for name, value in prior.state_dict().items()} == wanted
    assert sum(value.numel() for value in prior.parameters()) == 2_366_976


def by_hand(layers, x):
    for place in (0, 3):
        x = x @ layers[place].weight.T + layers[place].bias
        x = (x - x.mean(-1, keepdim=True)) / (x.var(-1, unbiased=False, keepdim=True) + 1e-5).sqrt()
        x = torch.relu(x * layers[place + 1].weight + layers[place + 1].bias)
    return x @ layers[6].weight.T + layers[6].bias


def test_the_decoder_reads_latent_then_text_and_the_encoder_video_then_text(prior):
    text, other = noise(0), noise(1)
    with torch.no_grad():
        made = prior(text, other)
        mean, variance = prior.posterior(other, text)
        assert torch.allclose(made, by_hand(prior.decoder, torch.cat([other, text], 1)), atol=1e-4)
        both = by_hand(prior.encoder, torch.cat([other, text], 1))
        assert torch.allclose(torch.cat([mean, variance], 1), both, atol=1e-4)
        assert torch.equal(prior(text), prior(text, torch.zeros(2, 512)))


def test_inputs_and_weights_of_wrong_shapes_are_rejected(prior, tmp_path):
    with pytest.raises(BadValue, match=r"text: expected float \(2, 512\), got \(2, 5\)"):
        prior(torch.zeros(2, 5))
    with pytest.raises(BadValue, match=r"text: expected float \(n, 512\), got \(512,\)"):
        prior(torch.zeros(512))
    with pytest.raises(BadValue, match=r"latent: expected float \(2, 512\), got \(1, 512\)"):
        prior(noise(0), noise(0, 1))
    with pytest.raises(BadValue, match="video: expected"):
        prior.posterior(noise(0, 1), noise(0))
    state = dict(prior.state_dict())
    state["decoder.7.bias"] = state.pop("decoder.6.bias")
    torch.save(state, tmp_path / "prior.pt")
    with pytest.raises(BadValue, match=r"missing: decoder\.6\.bias; unexpected: decoder\.7\.bias"):
        load_prior(tmp_path / "prior.pt")
    torch.save(dict(prior.state_dict()), tmp_path / "prior.pt")
    assert torch.equal(load_prior(tmp_path / "prior.pt")(noise(0)), prior(noise(0)))
