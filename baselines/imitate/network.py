"""The network of the controller `pixel`, and its file in ONNX's form."""

import io
import warnings
from pathlib import Path
from typing import Final

import onnx
import torch
from torch import Tensor, nn

from optimus_gym.controllers.pixel.senses import (
    AGES,
    CONTRAST,
    FACT_COUNT,
    MIDDLE,
    PICTURE_SIDE,
)
from optimus_gym.controllers.pixel.stamp import own_stamp
from optimus_gym.core.actions import CONTROL_SIZES
from optimus_gym.core.files import write_whole

OPSET: Final = 18
STAMP: Final = "stamp"
"""Name of the entry of the ONNX file's metadata that holds the stamp."""
_WIDTH: Final = 256


class Network(nn.Module):
    """Three convolutions over small pictures of three ages, joined with facts; scores for each key's values.

    The network has 0.4 million parameters.
    """

    def __init__(self) -> None:
        super().__init__()
        self.seeing = nn.Sequential(
            *(nn.Conv2d(3 * len(AGES), 32, 4, 2, 1), nn.ReLU()),
            *(nn.Conv2d(32, 48, 4, 2, 1), nn.ReLU()),
            *(nn.Conv2d(48, 64, 3, 2, 1), nn.ReLU()),
            *(nn.Flatten(), nn.Linear(64 * (PICTURE_SIDE // 8) ** 2, _WIDTH), nn.ReLU()),
        )
        self.knowing = nn.Sequential(nn.Linear(FACT_COUNT, 64), nn.ReLU())
        self.acting = nn.Sequential(
            nn.Linear(_WIDTH + 64, _WIDTH), nn.ReLU(), nn.Linear(_WIDTH, sum(CONTROL_SIZES))
        )

    def forward(self, pictures: Tensor, facts: Tensor) -> Tensor:
        """Return scores (float32[n, 54]) of what `Senses.sense` returns."""
        stacked = pictures.permute(0, 1, 4, 2, 3).reshape(
            -1, 3 * len(AGES), PICTURE_SIDE, PICTURE_SIDE
        )
        seen = self.seeing((stacked.float() - MIDDLE) / CONTRAST)
        scores: Tensor = self.acting(torch.cat([seen, self.knowing(facts)], 1))
        return scores


def write_network(network: Network, file: Path) -> None:
    """Write a network in ONNX's form, with the stamp of what it was made for."""
    content = io.BytesIO()
    given = (
        torch.zeros(2, len(AGES), PICTURE_SIDE, PICTURE_SIDE, 3, dtype=torch.uint8),
        torch.zeros(2, FACT_COUNT),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the newer exporter makes three times as many nodes
        torch.onnx.export(
            network.eval(),
            given,
            content,  # type: ignore[arg-type]  # its types leave files out that are open
            input_names=["pictures", "facts"],
            output_names=["scores"],
            dynamic_axes={name: {0: "n"} for name in ("pictures", "facts", "scores")},
            opset_version=OPSET,
            dynamo=False,
        )
    network.train()
    model = onnx.load_from_string(content.getvalue())
    model.metadata_props.add(key=STAMP, value=own_stamp())
    write_whole(file, model.SerializeToString())
