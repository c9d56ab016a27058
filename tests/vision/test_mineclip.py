"""MineCLIP's network has the official names and sizes and agrees with independent implementations."""

import time
import zlib

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue

torch = pytest.importorskip("torch")
from optimus_gym.vision.clip_towers import Sizes  # noqa: E402
from optimus_gym.vision.mineclip import DEVIATION, MEAN, MineCLIP  # noqa: E402
from optimus_gym.vision.mineclip_checkpoint import load_mineclip, load_text_tower  # noqa: E402

SMALL = Sizes(
    height=32, width=32, patch=16, vision_width=48, vision_heads=4, vision_layers=2, text_width=32,
    text_heads=2, text_layers=2, context=77, vocabulary=49_408, features=32, time_heads=4,
    longest_video=8,
)  # fmt: skip


def filled(model):
    """Give each entry numbers that depend on its name alone."""
    with torch.no_grad():
        for name, value in model.state_dict().items():
            drawn = np.random.RandomState(zlib.crc32(name.encode())).standard_normal(
                tuple(value.shape)
            )
            if value.ndim == 1:
                drawn = drawn * 0.1 + name.endswith("weight")
            elif value.ndim > 1:
                drawn = drawn * 1.5 / np.sqrt(drawn.size / drawn.shape[0])
            value.copy_(torch.from_numpy(np.asarray(drawn)))
    return model.eval()


@pytest.fixture(scope="module")
def model():
    return filled(MineCLIP(sizes=SMALL))


def frames(count=3, seed=0):
    random = np.random.RandomState(seed)
    return torch.from_numpy(random.randint(0, 256, (2, count, 3, 32, 32)).astype(np.uint8))


@pytest.mark.parametrize(
    ("pool", "entries", "numbers"), [("attn", 788, 158_537_730), ("avg", 761, 150_118_402)]
)
def test_the_network_has_the_official_sizes(pool, entries, numbers):
    """Counts of the official files: 788 and 761 entries, shared towers listed three and two times."""
    with torch.device("meta"):
        made = MineCLIP(pool)
    state = made.state_dict()
    assert len(state) == entries
    assert sum(value.numel() for value in made.parameters()) == numbers
    shapes = {name: tuple(value.shape) for name, value in state.items()}
    assert shapes["clip_model.vision_model.pos_embed"] == (161, 768)
    assert shapes["image_encoder.blocks.11.attn.in_proj_weight"] == (2304, 768)
    assert shapes["reward_head.clip_model.text_model.token_embedding.weight"] == (49_408, 512)
    assert shapes["reward_head.video_adapter.3.weight"] == (512, 512)
    assert shapes["clip_model.logit_scale"] == shapes["reward_head.video_residual_weight"] == ()
    start = "temporal_encoder.attn.model."
    time = {n.removeprefix(start): shape for n, shape in shapes.items() if "temporal" in n}
    if pool == "attn":
        assert time["pos_emb.emb.weight"] == (32, 512)
        for k in (0, 2):
            assert time[f"attn_layers.layers.{k}.0.0.weight"] == (512,)
            assert time[f"attn_layers.layers.{k}.1.to_out.weight"] == (512, 512)
            assert time[f"attn_layers.layers.{k + 1}.1.net.0.proj.weight"] == (4096, 512)
            assert time[f"attn_layers.layers.{k + 1}.1.net.3.weight"] == (512, 2048)
    assert len(time) == entries - 761


def block(mine, k, to):
    """Return a block's weights by the names of Hugging Face's CLIP."""
    out = {}
    for kind in ("weight", "bias"):
        q, key, v = mine[f"blocks.{k}.attn.in_proj_{kind}"].chunk(3)
        out[f"{to}self_attn.q_proj.{kind}"] = q
        out[f"{to}self_attn.k_proj.{kind}"] = key
        out[f"{to}self_attn.v_proj.{kind}"] = v
        out[f"{to}self_attn.out_proj.{kind}"] = mine[f"blocks.{k}.attn.out_proj.{kind}"]
        out[f"{to}layer_norm1.{kind}"] = mine[f"blocks.{k}.ln_1.{kind}"]
        out[f"{to}layer_norm2.{kind}"] = mine[f"blocks.{k}.ln_2.{kind}"]
        out[f"{to}mlp.fc1.{kind}"] = mine[f"blocks.{k}.mlp.c_fc.{kind}"]
        out[f"{to}mlp.fc2.{kind}"] = mine[f"blocks.{k}.mlp.c_proj.{kind}"]
    return out


def test_text_vectors_agree_with_another_implementation_of_clip(model):
    transformers = pytest.importorskip("transformers")
    other = transformers.CLIPTextModelWithProjection(
        transformers.CLIPTextConfig(
            vocab_size=49_408, hidden_size=32, intermediate_size=128, projection_dim=32,
            num_hidden_layers=2, num_attention_heads=2, max_position_embeddings=77,
            hidden_act="quick_gelu", eos_token_id=49_407,
        )
    ).eval()  # fmt: skip
    mine = model.clip_model.text_model.state_dict()
    theirs = {
        "text_model.embeddings.token_embedding.weight": mine["token_embedding.weight"],
        "text_model.embeddings.position_embedding.weight": mine["pos_embed"],
        "text_model.final_layer_norm.weight": mine["ln_final.weight"],
        "text_model.final_layer_norm.bias": mine["ln_final.bias"],
        "text_projection.weight": mine["projection"].T,
    }
    for k in range(2):
        theirs |= block(mine, k, f"text_model.encoder.layers.{k}.")
    missing, unexpected = other.load_state_dict(theirs, strict=False)
    assert unexpected == []
    assert [name for name in missing if "position_ids" not in name] == []
    tokens = torch.zeros(2, 77, dtype=torch.int64)
    tokens[0, :4] = torch.tensor([49_406, 3306, 1002, 49_407])
    tokens[1, :3] = torch.tensor([49_406, 320, 49_407])
    with torch.no_grad():
        assert torch.allclose(model.encode_tokens(tokens), other(tokens).text_embeds, atol=1e-5)


def test_frame_vectors_agree_with_another_implementation_of_clip(model):
    transformers = pytest.importorskip("transformers")
    other = transformers.CLIPVisionModelWithProjection(
        transformers.CLIPVisionConfig(
            hidden_size=48, intermediate_size=192, projection_dim=32, num_hidden_layers=2,
            num_attention_heads=4, image_size=32, patch_size=16, hidden_act="quick_gelu",
        )
    ).eval()  # fmt: skip
    mine = model.image_encoder.state_dict()
    theirs = {
        "vision_model.embeddings.class_embedding": mine["cls_token"],
        "vision_model.embeddings.patch_embedding.weight": mine["conv1.weight"],
        "vision_model.embeddings.position_embedding.weight": mine["pos_embed"],
        "visual_projection.weight": mine["projection"].T,
    }
    for own, name in (("ln_pre", "pre_layrnorm"), ("ln_post", "post_layernorm")):
        for kind in ("weight", "bias"):
            theirs[f"vision_model.{name}.{kind}"] = mine[f"{own}.{kind}"]
    for k in range(2):
        theirs |= block(mine, k, f"vision_model.encoder.layers.{k}.")
    missing, unexpected = other.load_state_dict(theirs, strict=False)
    assert unexpected == []
    assert [name for name in missing if "position_ids" not in name] == []
    shown = frames()
    colours = (torch.tensor(part).view(3, 1, 1) for part in (MEAN, DEVIATION))
    mean, deviation = colours
    with torch.no_grad():
        theirs = other((shown.flatten(0, 1) / 255 - mean) / deviation).image_embeds
        assert torch.allclose(model.encode_frames(shown).flatten(0, 1), theirs, atol=1e-5)


def test_video_vectors_agree_with_a_direct_calculation(model):
    """A calculation line by line, with torch's own attention."""
    mine = {
        name.removeprefix("temporal_encoder.attn.model."): value
        for name, value in model.state_dict().items()
    }
    norm = torch.nn.functional.layer_norm
    with torch.no_grad():
        seen = model.encode_frames(frames(5))
        x = seen + mine["pos_emb.emb.weight"][:5] * 32**-0.5
        for k in (0, 2):
            at = f"attn_layers.layers.{k}."
            y = norm(x, (32,), mine[f"{at}0.0.weight"], mine[f"{at}0.0.bias"])
            weights = torch.cat([mine[f"{at}1.to_{part}.weight"] for part in "qkv"])
            y, _ = torch.nn.functional.multi_head_attention_forward(
                *(y.transpose(0, 1),) * 3, 32, 4, weights, None, None, None, False, 0.0,
                mine[f"{at}1.to_out.weight"], None, need_weights=False,
            )  # fmt: skip
            x = x + y.transpose(0, 1)
            at = f"attn_layers.layers.{k + 1}."
            y = norm(x, (32,), mine[f"{at}0.0.weight"], mine[f"{at}0.0.bias"])
            wide = y @ mine[f"{at}1.net.0.proj.weight"].T + mine[f"{at}1.net.0.proj.bias"]
            value, gate = wide.split(128, -1)
            y = value * gate * torch.sigmoid(gate)
            x = x + y @ mine[f"{at}1.net.3.weight"].T + mine[f"{at}1.net.3.bias"]
        expected = norm(x, (32,), mine["norm.weight"], mine["norm.bias"]).mean(1)
        assert torch.allclose(model.encode_video(frames(5)), expected, atol=1e-5)
        assert torch.allclose(
            filled(MineCLIP("avg", SMALL)).encode_video(frames(5)), seen.mean(1), atol=1e-6
        )


def test_scores_are_scaled_cosines_of_the_adapted_video(model):
    with torch.no_grad():
        video, text = model.encode_video(frames()), model.encode_text(["a tree", "a cow", "stone"])
        scores = model.reward_head(video, text)
        share = 1 / (1 + np.exp(-float(model.reward_head.video_residual_weight.detach())))
        first, _, _, last = model.reward_head.video_adapter
        adapted = share * video + (1 - share) * last(torch.relu(first(video)))
        cosine = torch.nn.functional.cosine_similarity(adapted[0], text[1], dim=0)
    assert scores.shape == (2, 3)
    scale = float(model.clip_model.logit_scale.detach())
    assert float(scores[0, 1]) == pytest.approx(np.exp(scale) * float(cosine), rel=1e-4)


def test_a_videos_vector_does_not_depend_on_the_batch(model):
    with torch.no_grad():
        both = model.encode_video(frames())
        assert torch.allclose(both[1:], model.encode_video(frames()[1:]), atol=1e-6)


@pytest.mark.parametrize("pool", ["attn", "avg"])
def test_a_checkpoint_loads_the_written_weights(tmp_path, pool):
    written = filled(MineCLIP(pool, SMALL))
    state = {f"model.{name}": value for name, value in written.state_dict().items()}
    torch.save({"state_dict": state}, tmp_path / "a.pth")
    read = load_mineclip(tmp_path / "a.pth", SMALL)
    tower = load_text_tower(tmp_path / "a.pth", SMALL)
    tokens = torch.tensor([[49_406, 320, 49_407, *[0] * 74]])
    with torch.no_grad():
        assert torch.equal(read.encode_video(frames()), written.encode_video(frames()))
        assert torch.equal(tower(tokens), written.encode_tokens(tokens))
    assert not read.training


class Trap:
    """A pickle of this object acts when it is loaded."""

    def __reduce__(self):
        return print, ("unpickled",)


def test_files_without_mineclips_weights_are_refused(tmp_path, capsys):
    state = {f"model.{name}": value for name, value in MineCLIP(sizes=SMALL).state_dict().items()}
    gone = state.pop("model.clip_model.logit_scale")
    state["model.more"] = gone
    state["model.clip_model.text_model.pos_embed"] = torch.zeros(3, 32)
    torch.save({"state_dict": state}, tmp_path / "a.pth")
    with pytest.raises(
        BadValue, match=r"missing: clip_model\.logit_scale; unexpected: more; of another"
    ):
        load_mineclip(tmp_path / "a.pth", SMALL)
    with pytest.raises(BadValue, match=r"text_model.pos_embed|pos_embed \(3, 32\) for \(77, 32\)"):
        load_text_tower(tmp_path / "a.pth", SMALL)
    torch.save({"state_dict": {"model.x": Trap()}}, tmp_path / "trap.pth")
    (tmp_path / "cut.pth").write_bytes((tmp_path / "a.pth").read_bytes()[:1000])
    (tmp_path / "empty.pth").write_bytes(b"")
    torch.save([1, 2], tmp_path / "list.pth")
    for name in ("trap", "cut", "empty", "list", "none"):
        with pytest.raises(BadValue, match="checkpoint"):
            load_mineclip(tmp_path / f"{name}.pth", SMALL)
    assert "unpickled" not in capsys.readouterr().out


@pytest.mark.parametrize("width", [10**6, 64_000])
def test_an_absurd_width_or_depth_is_refused_at_once(tmp_path, width):
    path = tmp_path / "wide.pth"
    blocks = {f"model.clip_model.vision_model.blocks.{k}.x": torch.ones(1) for k in range(2000)}
    wide = {"model.clip_model.text_model.pos_embed": torch.ones(1, width)}
    torch.save({"state_dict": {**wide, **blocks}}, path)
    begun = time.process_time()
    with pytest.raises(BadValue, match="belongs to another network"):
        load_mineclip(path)
    with pytest.raises(BadValue, match="belongs to another network"):
        load_text_tower(path)
    assert time.process_time() - begun < 10


def test_frames_of_another_shape_are_refused(model):
    for wrong in (frames()[0], frames().float(), frames()[..., :16], frames()[:, :, :2]):
        with pytest.raises(BadValue, match=r"frames: expected uint8 \(b, t, 3, 32, 32\), got "):
            model.encode_frames(wrong)
    with pytest.raises(BadValue, match="expected 1 to 8 frames, got 9"):
        model.encode_video(frames(9))
