"""Pictures of creatures: each kind shows, nearer blocks hide creatures, both render paths agree."""

import numpy as np
import pytest
from numpy.typing import NDArray

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.worlds.voxel.art.skins import models, paint_side
from optimus_gym.worlds.voxel.creatures.kinds import HALF_WIDTH, TALL
from optimus_gym.worlds.voxel.land.window import ensure_view
from optimus_gym.worlds.voxel.render.look import block_look
from optimus_gym.worlds.voxel.render.picture import render_frame
from tests.worlds.voxel.pen import FEET, KINDS, NOON, Pen

VIEW = 64.0


def meadow(**values: float) -> Pen:
    pen = Pen("grass_block", time=NOON)
    pen.set(**{"yaw": 0.0, "pitch": 5.0, **values})
    return pen


def picture(pen: Pen, fast: bool = True, size: tuple[int, int] = (96, 160)) -> NDArray[np.int64]:
    ensure_view(pen.worlds, 0, VIEW)
    image = np.zeros((*size, 3), np.uint8)
    render_frame(pen.worlds, 0, block_look(), VIEW, fast, image)
    return image.astype(np.int64)


def changed(pen: Pen, before: NDArray[np.int64]) -> NDArray[np.bool_]:
    return (picture(pen) != before).any(axis=2)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_drawn_in_the_size_of_its_body(kind):
    pen = meadow()
    before = picture(pen)
    pen.add(kind, 0.5, 6.5, face_x=0, face_z=-1)
    seen = changed(pen, before)
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    number = KINDS.index(kind)
    high = len(rows) / 96 * 2 * 0.7 * 6.0
    wide = len(columns) / 160 * 2 * 0.7 * 16 / 9 * 6.0
    assert 0.7 * TALL[number] < high < 1.6 * TALL[number] + 0.4
    assert 0.8 * HALF_WIDTH[number] < wide < 4.5 * HALF_WIDTH[number] + 0.4


@pytest.mark.parametrize("size", [(48, 64), (37, 53)])
@pytest.mark.parametrize("pitch", [-20.0, 5.0, 60.0])
def test_both_render_paths_draw_the_same_bytes(size, pitch):
    pen = meadow(pitch=pitch)
    for number, kind in enumerate(KINDS):
        pen.add(kind, number - 4.0, 3.5 + number % 3, gait=0.7, stride=number, fire=number % 2)
    pen.add("creeper", 0.5, 1.2, fuse=7)
    pen.add("sheep", 0.5, 0.5, shorn=1, hurt_wait=5)
    assert (picture(pen, size=size) == picture(pen, fast=False, size=size)).all()


def test_a_wall_hides_creatures_and_drawing_changes_no_state():
    pen = meadow()
    for x in range(-20, 21):
        for y in range(FEET, FEET + 6):
            pen.put(x, y, 4, "stone")
    before = picture(pen)
    pen.add("zombie", 0.5, 6.5)
    pen.add("cow", 3.5, 8.5)
    state = pen.worlds.creatures.tobytes()
    assert not changed(pen, before).any()
    assert pen.worlds.creatures.tobytes() == state


def test_dead_creatures_and_creatures_behind_the_eye_are_not_drawn():
    pen = meadow()
    before = picture(pen)
    pen.add("zombie", 0.5, -6.5)
    pen.add("zombie", 0.5, 6.5, health=0)
    assert not changed(pen, before).any()


def test_a_hurt_sheep_is_red_and_a_shorn_sheep_looks_different():
    pen = meadow()
    row = pen.add("sheep", 0.5, 4.5)
    whole = picture(pen)
    row["hurt_wait"] = 5
    hurt = picture(pen)
    middle = (slice(50, 70), slice(75, 85))
    assert hurt[middle][..., 1].mean() < whole[middle][..., 1].mean() - 30
    row["hurt_wait"], row["shorn"] = 0, 1
    assert (picture(pen) != whole).any()


def test_limbs_move_with_the_steps_of_a_creature():
    pen = meadow()
    row = pen.add("zombie", 0.5, 4.5, face_x=1, face_z=0)
    still = picture(pen)
    row["gait"] = 1.0
    assert (picture(pen) != still).any()


def test_night_darkens_creatures_but_not_their_fire():
    day, night = meadow(), meadow()
    night.worlds.skies["time"] = 18_000
    for pen in (day, night):
        pen.add("pig", 0.5, 4.5)
    spot = (slice(54, 62), slice(76, 84))
    assert picture(night)[spot].mean() < 0.9 * picture(day)[spot].mean()
    for pen in (day, night):
        pen.creatures["fire"] = 10
    assert picture(night)[spot].max() > 200


def test_every_kind_has_a_model_and_every_texture_is_used():
    looks = models()
    assert len(looks.starts) == len(creature_kinds()) + 1
    assert (np.diff(looks.starts) >= 6).all()
    assert (looks.parts["high"] > looks.parts["low"]).all()
    assert set(looks.parts["faces"].ravel()) == set(range(len(looks.textures)))


def test_unknown_layers_and_faces_are_rejected():
    with pytest.raises(UnknownName, match="patches"):
        paint_side("smooth #ffffff 0.1 + patch #000000 0.3")
    with pytest.raises(UnknownName, match="zombie"):
        paint_side("smooth #ffffff 0.1", "zombi")
