"""The aligner `open_clip`: any model of the library open_clip, with the library's weights or a file's."""

import hashlib
import json
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.checks import check_name, check_path, is_number
from optimus_gym.core.errors import BadValue, MissingExtra, reason_of, shown
from optimus_gym.vision.aligner import check_pictures, check_videos, unit_vectors

EXTRA: Final = "open-clip"  # older pips take no "_"
try:
    import torch
    from torch import Tensor, nn
    from torch.nn import functional

    from optimus_gym.core.devices import device_named
    from optimus_gym.core.tensor_files import read_tensor_file
    from optimus_gym.core.weights import fill_network
except ImportError as error:
    raise MissingExtra("aligner 'open_clip'", EXTRA) from error

OPEN_CLIP_BATCH: Final = 64
"""Maximum number of pictures, or texts, that go through the network at once."""
OPEN_CLIP_DIGITS: Final = 12
"""Number of digits of the hash of weights and preprocessing in the aligner's name."""
MOST_VIDEO_FRAMES: Final = 256
"""Maximum number of frames of a video: 12.8 seconds. The mean over a longer video's frames says almost
nothing about the video."""
PREPROCESSING: Final = ("mean", "std", "interpolation", "resize_mode", "fill_color")
"""Names of the settings with which a tag (pretrained weights) prepares pictures; the pictures' size is a
setting of the model."""
POSITIONS: Final = "text.transformer.embeddings.position_ids"
"""Name of a tensor that only checkpoints made with transformers before 4.31 hold."""


class OpenClipAligner:
    """A model of the library open_clip as an aligner.

    The library compares pictures, not videos, with texts. To make a video's vector, the aligner scales its
    frames' features to length 1, takes the features' mean, and scales the mean to length 1. The order of
    frames does not matter.

    Args:
        model: one of the library's architectures, as `open_clip.list_models()` names it.
        pretrained: one of the library's tags (names of weights) for the model, whose weights the library
            downloads and stores; or a checkpoint's file of tensors by the library's names, at the top or
            under "state_dict"; a file that ends in ".safetensors" is read in the safetensors format. Only
            tensors are unpickled.
        device: device of the network; None takes the CPU.
        like: for a file, the model's tag that prepares pictures as the file's weights need them. `like=None`
            suits models whose tags all prepare pictures in the same way (nearly all models), and models
            without tags, whose pictures are prepared as for OpenAI's CLIP.
        threshold: see `Aligner`, -1 to 1. The default of `threshold` is the one with which OpenAI's ViT-B-32
            filtered LAION-5B (Schuhmann et al. 2022); other models, SigLIP above all, need another threshold.
        confidence: see `Aligner`, -1 to 1. The default of `confidence` is a guess without measurement.

    Raises:
        UnknownName: the library has no such model, or the model has no tag `like`.
        BadValue: `pretrained` is neither a tag nor a file, cannot be downloaded or read, or belongs to
            another model; the device cannot be used; `threshold` or `confidence` is not from -1 to 1.
        MissingExtra: the library is not installed, or the model's tokenizer needs another library.
    """

    def __init__(
        self,
        model: str,
        pretrained: str | os.PathLike[str] | None = None,
        device: str | None = None,
        *,
        like: str | None = None,
        threshold: float = 0.28,
        confidence: float = 0.9,
    ) -> None:
        library = _library()
        check_name("open_clip model", model, library.list_models())
        self.threshold = _cosine("threshold", threshold)
        self.confidence = _cosine("confidence", confidence)
        self._device = device_named(device or "cpu")
        source = _source(library, model, pretrained)
        if isinstance(source, str) and like is not None:
            raise BadValue(
                f"like: expected None if pretrained is a tag ({source!r}), got {shown(like)}"
            )
        self._tokens = _tokenizer(library, model)
        if isinstance(source, str):
            made = _built(
                library, model, pretrained=source, require_pretrained=True, weights_only=True
            )
        else:
            ready, weights = _shared(library, model, like), _read(source)
            made = _built(library, model, force_preprocess_cfg=ready, pretrained_hf=False)
            _fill(made, weights, source)
        self._preprocessing: dict[str, Any] = dict(made.visual.preprocess_cfg)
        self.name = f"open_clip {model} {_digest(made, self._preprocessing)}"
        self.width: int = library.get_model_config(model)["embed_dim"]
        self.longest = MOST_VIDEO_FRAMES
        self._model = made.eval().requires_grad_(False).to(self._device)

    @torch.inference_mode()
    def frames(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the features (float32[n, width], not scaled) of pictures (uint8[n, H, W, 3]) of any size.

        Raises:
            BadValue: the pictures have a wrong shape or type.
        """
        check_pictures(pictures)
        made = np.zeros((len(pictures), self.width), np.float32)
        for k in range(0, len(pictures), OPEN_CLIP_BATCH):
            given = torch.tensor(np.asarray(pictures[k : k + OPEN_CLIP_BATCH]), device=self._device)
            ready = prepared(given.permute(0, 3, 1, 2), self._preprocessing)
            made[k : k + OPEN_CLIP_BATCH] = (
                self._model.encode_image(ready, normalize=False).float().cpu()
            )
        return made

    def videos(self, features: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
        """Return videos' vectors (float32[n, width]) from their frames' features (float32[t, width] each).

        Each vector is the mean of the frames' scaled features, scaled to length 1 again.

        Raises:
            BadValue: a video has no frame, more than 256 frames, or features of a wrong shape or of length 0.
        """
        check_videos(features, self.width, self.longest)
        made = np.zeros((len(features), self.width), np.float32)
        for k, given in enumerate(features):
            one = np.asarray(given, np.float32)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                made[k] = unit_vectors(unit_vectors(one).mean(0))
            if not np.isfinite(made[k]).all():
                raise BadValue(
                    f"videos: expected finite features of a length above 0, got others in video {k}"
                )
        return made

    @torch.inference_mode()
    def texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors (float32[n, width]) of texts; tokens beyond the model's context are left out.

        Raises:
            BadValue: there is no text, or an empty one.
        """
        if isinstance(texts, str) or not isinstance(texts, Sequence) or not texts:
            raise BadValue(f"texts: expected a list of at least one text, got {shown(texts)}")
        for text in texts:
            if not isinstance(text, str) or not text.strip():
                raise BadValue(f"text: expected words, got {shown(text)}")
        made = np.zeros((len(texts), self.width), np.float32)
        for k in range(0, len(texts), OPEN_CLIP_BATCH):
            tokens = self._tokens(list(texts[k : k + OPEN_CLIP_BATCH])).to(self._device)
            made[k : k + OPEN_CLIP_BATCH] = (
                self._model.encode_text(tokens, normalize=False).float().cpu()
            )
        return unit_vectors(made)


def prepared(pictures: Tensor, wanted: Mapping[str, Any]) -> Tensor:
    """Return pictures (float32[n, 3, h, w]) as a model of the library needs them.

    The returned pictures differ by at most 2/255 from those that the library makes one by one with Pillow 11.

    Args:
        pictures: uint8[n, 3, H, W].
        wanted: the model's `preprocess_cfg`: size, mean, std, interpolation, resize_mode and fill_color.
    """
    size = wanted["size"]
    high, wide = (size, size) if isinstance(size, int) else (int(size[0]), int(size[1]))
    given = (pictures.shape[2], pictures.shape[3])
    mode = wanted["resize_mode"]
    # The library always uses its default interpolation if the shorter edge must fit a size that is no square.
    smooth = wanted["interpolation"] == "bilinear" and (mode != "shortest" or high == wide)
    way = "bilinear" if smooth else "bicubic"
    height, width = _resized(given, (high, wide), mode)
    made = pictures.float()
    # Pillow rounds to integers after resizing each edge. Pillow 11 always resizes the width first; Pillow 13
    # begins with the height for tall pictures.
    for step in ((given[0], width), (height, width)):
        made = functional.interpolate(made, step, mode=way, antialias=True)
        made = made.add(0.5).floor().clamp(0, 255)
    made = _centred(made, (high, wide), wanted.get("fill_color") or 0) / 255
    mean, std = (
        torch.tensor(wanted[key], dtype=torch.float32, device=made.device).view(-1, 1, 1)
        for key in ("mean", "std")
    )
    return (made - mean) / std


def _resized(given: tuple[int, int], wanted: tuple[int, int], mode: str) -> tuple[int, int]:
    """Return the height and width of pictures after resizing and before cropping or padding."""
    (height, width), (high, wide) = given, wanted
    if mode == "squash":
        return wanted
    if mode == "shortest" and high == wide:
        shorter = min(height, width)
        return int(high * height / shorter), int(wide * width / shorter)
    ratio = (max if mode == "longest" else min)(height / high, width / wide)
    return max(1, round(height / ratio)), max(1, round(width / ratio))


def _centred(pictures: Tensor, size: tuple[int, int], fill: float) -> Tensor:
    """Return pictures (float32[n, 3, h, w]) padded or cropped around their centre to a size."""
    high, wide = size
    down, across = max(high - pictures.shape[2], 0), max(wide - pictures.shape[3], 0)
    edges = (across // 2, (across + 1) // 2, down // 2, (down + 1) // 2)
    framed = functional.pad(pictures, edges, value=fill)
    top, left = round((framed.shape[2] - high) / 2), round((framed.shape[3] - wide) / 2)
    return framed[:, :, top : top + high, left : left + wide]


def _library() -> Any:
    """Return the library.

    Raises:
        MissingExtra: the library is not installed.
    """
    try:
        import open_clip
    except ImportError as error:
        raise MissingExtra("aligner 'open_clip'", EXTRA) from error
    return open_clip


def _cosine(name: str, value: object) -> float:
    """Return a number.

    Raises:
        BadValue: the value is no number from -1 to 1.
    """
    if is_number(value) and -1 <= value <= 1:
        return float(value)
    raise BadValue(f"{name}: expected a number from -1 to 1, got {shown(value)}")


def _source(library: Any, model: str, pretrained: object) -> str | Path:
    """Return `pretrained` as a tag of the model or as a checkpoint's path.

    Raises:
        BadValue: `pretrained` is neither a tag nor a file, or the tag's weights need the model's
            "-quickgelu" variant.
    """
    tags = library.list_pretrained_tags_by_model(model)
    if isinstance(pretrained, str) and library.get_pretrained_cfg(model, pretrained):
        quick = library.get_pretrained_cfg(model, pretrained).get("quick_gelu", False)
        if quick and not library.get_model_config(model).get("quick_gelu", False):
            raise BadValue(
                f"model: expected '{model}-quickgelu' for the tag {pretrained!r}, got {model!r}, "
                "which has another activation"
            )
        return pretrained
    if pretrained is not None and os.path.isfile(file := check_path("pretrained", pretrained)):
        return file
    raise BadValue(
        f"pretrained: expected a checkpoint's file or a tag of {model!r} ({', '.join(tags) or 'none'}), "
        f"got {shown(pretrained)}"
    )


def _shared(library: Any, model: str, like: str | None) -> dict[str, Any]:
    """Return settings to prepare pictures for a file's weights: the tag `like`'s, or those of all tags.

    Raises:
        UnknownName: the model has no tag `like`.
        BadValue: `like` is None, and the model's tags prepare pictures in different ways.
    """
    tags = library.list_pretrained_tags_by_model(model)
    if like is not None:
        tags = [check_name(f"tag of {model!r}", like, tags)]
    found: dict[str, str] = {}
    for tag in tags:
        said = library.get_pretrained_cfg(model, tag)
        wanted = {key: said[key] for key in PREPROCESSING if said.get(key) is not None}
        found.setdefault(json.dumps(wanted), tag)
    if len(found) > 1:
        raise BadValue(
            f"like: expected a tag of {model!r}, whose tags prepare pictures in several ways (such as "
            f"{' and '.join(map(repr, found.values()))}), got None"
        )
    return dict(json.loads(next(iter(found), "{}")))


def _tokenizer(library: Any, model: str) -> Any:
    """Return the tokenizer, which turns n texts into tokens (int64[n, length]).

    Raises:
        MissingExtra: the tokenizer belongs to the library transformers, which is not installed.
        BadValue: the tokenizer cannot be loaded.
    """
    try:
        return library.get_tokenizer(model)
    except ImportError as error:
        raise MissingExtra(f"open_clip's model {model!r}", "mllm") from error
    except Exception as error:
        raise BadValue(
            f"model: the tokenizer of {model!r} cannot be loaded: {reason_of(error)}"
        ) from error


def _built(library: Any, model: str, **options: Any) -> Any:
    """Return a network that the library open_clip makes.

    Raises:
        BadValue: the library cannot make the network, or cannot load its weights.
    """
    log = logging.getLogger()
    log.addFilter(_no_alarm)
    try:
        with torch.random.fork_rng(devices=[]):
            return library.create_model(model, **options)
    except Exception as error:
        raise BadValue(f"model: open_clip cannot make {model!r}: {reason_of(error)}") from error
    finally:
        log.removeFilter(_no_alarm)


def _no_alarm(record: logging.LogRecord) -> bool:
    """Return False for the library's warning that weights are random: a file's weights replace them later."""
    return "initialized randomly" not in record.getMessage()


def _read(file: Path) -> dict[str, Tensor]:
    """Return a file's tensors by name, without the prefix "module." of training on several devices.

    Raises:
        BadValue: the file cannot be read, or holds no tensors by name.
    """
    if file.suffix != ".safetensors":
        found = read_tensor_file(file)
    else:
        from safetensors.torch import load_file

        try:
            found = load_file(file)
        except Exception as error:
            raise BadValue(
                f"checkpoint: expected a file of tensors alone, got '{file}' ({reason_of(error)})"
            ) from error
    state = found.get("state_dict", found) if isinstance(found, Mapping) else None
    if not isinstance(state, Mapping) or not all(
        isinstance(name, str) and isinstance(value, Tensor) for name, value in state.items()
    ):
        raise BadValue(
            f"checkpoint: expected tensors by name in '{file}', got {shown(type(found))}"
        )
    prefix = "module." if all(name.startswith("module.") for name in state) else ""
    return {name.removeprefix(prefix): value for name, value in state.items()}


def _fill(network: nn.Module, weights: dict[str, Tensor], file: Path) -> None:
    """Load weights into a network; weights from older versions of the library are reshaped to fit.

    Raises:
        BadValue: names, shapes or number types differ.
    """
    own = network.state_dict()
    if POSITIONS not in own:
        weights.pop(POSITIONS, None)
    for name in ("logit_scale", "logit_bias"):  # a number, or a list of one
        if name in weights and name in own and weights[name].numel() == own[name].numel():
            weights[name] = weights[name].reshape(own[name].shape)
    try:
        fill_network(network, weights, file)
    except RuntimeError as error:
        raise BadValue(
            f"checkpoint: expected dense tensors of numbers in '{file}', got others"
        ) from error


def _digest(network: nn.Module, preprocessing: Mapping[str, Any]) -> str:
    """Return the hash of a network's weights (names, types, shapes, bytes) and of its preprocessing."""
    digest = hashlib.sha256()
    for name, value in sorted(network.state_dict().items()):
        digest.update(f"{name} {value.dtype} {tuple(value.shape)}\n".encode())
        digest.update(value.detach().cpu().reshape(-1).contiguous().view(torch.uint8).numpy().data)
    digest.update(json.dumps(dict(preprocessing), sort_keys=True).encode())
    return digest.hexdigest()[:OPEN_CLIP_DIGITS]
