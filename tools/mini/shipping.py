"""Ship `mini`: its networks as ONNX, its words, and its settings."""

import hashlib
import io
import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import onnx  # noqa: F401  PyTorch's exporter needs it; missing, it is missing at the start
import torch
from torch import nn

from optimus_gym.core.files import write_whole
from tools.mini.network import WIDTH, Mini
from tools.mini.wordings import vocabulary

DATA: Final = Path(__file__).parents[2] / "optimus_gym" / "vision" / "data"
DIGITS: Final = 12
OPSET: Final = 18


def ship(model: Mini, told: Mapping[str, Any]) -> dict[str, int]:
    """Write the files of the package; return the size of each network in bytes.

    Args:
        model: the network.
        told: values for `mini.json`, in addition to the hash of the weights.
    """
    row = torch.zeros(2, WIDTH)
    parts = {
        "mini_frames": (model.frames, {"frames": torch.zeros(2, 128, 128, 3, dtype=torch.uint8)}),
        "mini_words": (model.words, {"tokens": torch.ones(2, 5, dtype=torch.int64)}),
        "mini_film": (model.film, {"mean": row, "first": row, "last": row}),
    }
    digest = hashlib.sha256()
    sizes = {}
    for name, (part, given) in parts.items():
        content = _onnx(part, given)
        write_whole(DATA / f"{name}.onnx", content)
        sizes[name] = len(content)
        digest.update(content)
    words = "\n".join(vocabulary()) + "\n"
    digest.update(words.encode())
    write_whole(DATA / "mini_words.txt", words.encode())
    card = {"weights": digest.hexdigest()[:DIGITS], **told}
    write_whole(DATA / "mini.json", (json.dumps(card, indent=2) + "\n").encode())
    return sizes


def _onnx(part: nn.Module, given: Mapping[str, torch.Tensor]) -> bytes:
    """Return a network as ONNX, for any number of rows (and words)."""
    axes = {name: {0: "n", 1: "t"} if name == "tokens" else {0: "n"} for name in given}
    content = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the newer exporter makes three times as many nodes
        torch.onnx.export(
            part.eval(),
            tuple(given.values()),
            content,
            input_names=list(given),
            output_names=["made"],
            dynamic_axes={**axes, "made": {0: "n"}},
            opset_version=OPSET,
            dynamo=False,
        )
    return content.getvalue()
