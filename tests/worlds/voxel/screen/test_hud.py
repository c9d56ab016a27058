"""The screen layer shows its values and can be reduced to any size."""

import numpy as np
import pytest

from optimus_gym.core.squeezing import squeezed
from optimus_gym.game.items import items
from optimus_gym.worlds.voxel.screen.hud import Meters, draw_hud, hud_art
from optimus_gym.worlds.voxel.screen.layer import (
    CANVAS_HEIGHT,
    CANVAS_WIDTH,
    CROSS_LEFT,
    CROSS_SIZE,
    CROSS_TOP,
    HUD_LEFT,
    HUD_RIGHT,
    HUD_TOP,
    blend_hud,
    first_row,
    layer_taps,
    new_canvas,
    new_layers,
    squeeze_hud,
)
from optimus_gym.worlds.voxel.state.holdings import STACK


def drawn(*stacks, selected=0, offhand=None, canvas=None, **meters):
    slots = np.zeros(41, STACK)
    for index, (name, count, damage) in enumerate(stacks):
        slots[index] = (items()[name].id, count, damage)
    if offhand:
        slots[40] = (items()[offhand].id, 1, 0)
    canvas = new_canvas() if canvas is None else canvas
    full = {"health": 20, "food": 20, "air": 300, "armour": 0, "level": 0, "progress": 0}
    full.update(meters)
    full["health"], full["food"] = float(full["health"]), float(full["food"])
    draw_hud(slots, selected, Meters(**full), canvas, hud_art())
    return canvas


def layer_of(canvas, height, width):
    layer = new_layers(1, height, width)[0]
    across = layer_taps(width, CANVAS_WIDTH)
    squeeze_hud(canvas, layer_taps(height, CANVAS_HEIGHT), across, layer)
    return layer


def changed_box(first, second):
    rows, columns = np.nonzero((first != second).any(axis=-1))
    return rows.min(), rows.max(), columns.min(), columns.max()


def test_the_layer_stays_inside_its_box():
    canvas = drawn(("oak_log", 64, 0), selected=8, air=0, armour=20)
    canvas[HUD_TOP:, HUD_LEFT:HUD_RIGHT] = 0
    canvas[CROSS_TOP : CROSS_TOP + CROSS_SIZE, CROSS_LEFT : CROSS_LEFT + CROSS_SIZE] = 0
    assert not canvas.any()


def test_poison_shows_in_the_hearts_and_hunger_in_the_food():
    plain, sick, foul = drawn(), drawn(poisoned=1), drawn(sickened=1)
    assert changed_box(plain, sick)[3] < CANVAS_WIDTH // 2 < changed_box(plain, foul)[2]


def test_a_new_drawing_leaves_no_trace_of_the_old_one():
    once = drawn(("oak_log", 7, 0))
    again = drawn(("oak_log", 7, 0), canvas=drawn(("stone", 64, 0), health=3.0, air=10, armour=9))
    assert (once == again).all()


def test_the_hotbar_has_the_game_s_place():
    opaque = drawn()[..., 3] > 0
    assert opaque[338, 229:411].all()
    assert opaque[331:336, 229:411].all()
    assert not opaque[330, :].any()
    assert not opaque[338, :228].any()


@pytest.mark.parametrize(("first", "second"), [(7, 17), (1, 2), (63, 64), (9, 10)])
def test_different_counts_look_different(first, second):
    box = changed_box(drawn(("oak_log", first, 0)), drawn(("oak_log", second, 0)))
    assert box[0] >= 350
    assert box[1] <= 358
    assert 232 <= box[2] <= box[3] <= 249


def test_a_single_item_has_no_count():
    icon = drawn(("oak_log", 1, 0))[341:357, 232:248]
    art = hud_art().icons[items()["oak_log"].id]
    solid = art[..., 3] == 255
    assert (icon[solid] == art[solid]).all()


def test_an_empty_slot_shows_nothing_even_with_a_stale_item():
    assert (drawn(("oak_log", 0, 0)) == drawn()).all()


def test_the_frame_marks_the_selected_slot():
    for selected in range(9):
        row = drawn(selected=selected)[338, :, 0]
        bright = np.nonzero(row > 200)[0]
        assert bright.min() == 229 + 20 * selected
        assert bright.max() == 250 + 20 * selected


def test_wear_shortens_and_reddens_the_bar():
    most = items()["iron_pickaxe"].max_durability
    green, lengths = [], []
    for damage in (1, most // 4, most // 2, most * 3 // 4, most - 1):
        bar = drawn(("iron_pickaxe", 1, damage))[354, 234:247].astype(int)
        lit = bar[:, :2].sum(axis=1) > 0
        lengths.append(int(lit.sum()))
        if lit[0]:
            green.append(int(bar[0, 1] - bar[0, 0]))
    assert lengths[0] == 13
    assert lengths == sorted(lengths, reverse=True)
    assert green == sorted(green, reverse=True)
    assert green[0] > 0 > green[-1]


def test_an_unused_tool_has_no_bar():
    fresh, used = drawn(("iron_pickaxe", 1, 0)), drawn(("iron_pickaxe", 1, 1))
    assert changed_box(fresh, used) == (354, 355, 234, 246)


@pytest.mark.parametrize("meter", ["health", "food", "armour"])
def test_every_value_of_a_meter_looks_different(meter):
    pictures = {drawn(**{meter: value}).tobytes() for value in range(21)}
    assert len(pictures) == 21


def test_health_is_rounded_up():
    assert (drawn(health=0.5) == drawn(health=1)).all()
    assert (drawn(health=19.2) == drawn(health=20)).all()


def test_bubbles_show_only_under_water():
    full, drowning = drawn(air=300), drawn(air=-20)
    assert (full == drowning).all()
    counts = [(drawn(air=air)[311:320, 330:411, 3] > 0).sum() for air in (299, 150, 31, 30, 1)]
    assert counts == sorted(counts, reverse=True)
    assert counts[3] == counts[4] > 0


def test_armour_stands_above_the_hearts():
    box = changed_box(drawn(armour=0), drawn(armour=7))
    assert box[:3] == (311, 319, 229)


def test_the_layer_at_full_size_is_the_canvas():
    canvas = drawn(("diamond", 3, 0), armour=4)
    assert (layer_of(canvas, CANVAS_HEIGHT, CANVAS_WIDTH) == canvas).all()


@pytest.mark.parametrize(
    "size", [(128, 128), (64, 64), (180, 320), (90, 161), (84, 84), (1, 1), (360, 100)]
)
def test_the_layer_is_reduced_like_a_whole_screen(size):
    canvas = drawn(("diamond", 3, 0), ("oak_log", 17, 0), armour=11, air=100)
    assert np.array_equal(layer_of(canvas, *size), squeezed(canvas, size[::-1]))


def test_an_enlarged_layer_repeats_pixels():
    canvas = drawn(("diamond", 3, 0))
    assert (layer_of(canvas, 720, 1280) == canvas.repeat(2, axis=0).repeat(2, axis=1)).all()


@pytest.mark.parametrize("size", [(128, 128), (360, 640), (64, 64), (720, 1280), (37, 501), (1, 1)])
def test_blending_changes_only_covered_pixels(size):
    layer = layer_of(drawn(("diamond", 3, 0)), *size)
    image = np.random.default_rng(5).integers(0, 256, (*size, 3), dtype=np.uint8)
    before = image.copy()
    blend_hud(layer, image, first_row(size[0]))
    assert (image == before)[layer[..., 3] == 0].all()
    if size[0] > 60:
        assert (image != before).any()


def test_opaque_pixels_replace_the_picture():
    canvas = drawn(("diamond", 3, 0))
    layer = layer_of(canvas, 360, 640)
    image = np.full((360, 640, 3), 77, np.uint8)
    blend_hud(layer, image, first_row(360))
    below = np.zeros((360, 640), bool)
    below[HUD_TOP:] = canvas[HUD_TOP:, :, 3] == 255
    assert (image[below] == canvas[..., :3][below]).all()


@pytest.mark.parametrize("tone", [0, 40, 255])
def test_the_crosshair_inverts_the_picture(tone):
    image = np.full((360, 640, 3), tone, np.uint8)
    blend_hud(layer_of(drawn(), 360, 640), image, first_row(360))
    assert (image[179, 315:324] == 255 - tone).all()
    assert (image[178, 315:319] == tone).all()
