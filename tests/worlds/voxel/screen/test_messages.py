"""Pictures show names, chat and toasts where the game's client shows them, in worlds with messages alone."""

import numpy as np
import pytest

from optimus_gym.core.actions import ACTION_LENGTH
from optimus_gym.core.squeezing import squeezed
from optimus_gym.core.types import Setup
from optimus_gym.game.items import item, item_titles
from optimus_gym.game.unlocks import unlocks
from optimus_gym.worlds.voxel.art.font import text_mask
from optimus_gym.worlds.voxel.art.items import item_icons
from optimus_gym.worlds.voxel.art.toast_panels import message_art, small_icon
from optimus_gym.worlds.voxel.clicking.opening import open_inventory
from optimus_gym.worlds.voxel.player.chatting import add_chat_line
from optimus_gym.worlds.voxel.screen import painter
from optimus_gym.worlds.voxel.screen.hud import hud_art
from optimus_gym.worlds.voxel.screen.layer import new_canvas
from optimus_gym.worlds.voxel.screen.message_layer import draw_chat, draw_name, draw_toasts
from optimus_gym.worlds.voxel.state.message_row import ADVANCED_TOAST, RECIPES_TOAST
from optimus_gym.worlds.voxel.state.worlds import make_worlds
from optimus_gym.worlds.voxel.world import VoxelWorld

WHITE, SHADOW = 255, 62
LETTER = 304, 283
"""A pixel of the D of "Diamond Sword" that no shadow touches."""
RIGHT = 640


@pytest.fixture
def worlds():
    made = make_worlds(1, 0)
    made.rules["messages"] = 1
    return made


def drawn(draw, worlds, *art):
    """Return the canvas with one kind of message, after checks that the rest is empty."""
    canvas = new_canvas()
    top, bottom, left, right = draw(worlds, 0, message_art(), *art, canvas)
    outside = canvas.copy()
    outside[top:bottom, left:right] = 0
    assert not outside.any()
    return canvas


def inked(canvas, text, top, left, tone):
    """Return whether a canvas shows a text in a tone at a place."""
    mask = text_mask(text) > 0
    area = canvas[top : top + mask.shape[0], left : left + mask.shape[1]]
    return bool((area[mask][:, :3] == tone).all())


def name_shown(worlds, left_over, name="diamond_sword"):
    worlds.messages["named"], worlds.messages["name_left"] = item(name).id, left_over
    return drawn(draw_name, worlds)


def test_the_held_items_name_stands_above_the_hotbar(worlds):
    canvas = name_shown(worlds, 40)
    title = "Diamond Sword"
    left = (RIGHT - text_mask(title).shape[1]) // 2
    assert inked(canvas, title, 301, left, WHITE)
    shadow = (canvas[..., 0] == SHADOW) & (canvas[..., 3] == 255)
    white = (canvas[..., 0] == WHITE) & (canvas[..., 3] == 255)
    assert np.array_equal(shadow[1:, 1:], white[:-1, :-1] & ~white[1:, 1:])


def test_the_name_fades_in_its_last_ten_ticks(worlds):
    alphas = [int(name_shown(worlds, left)[..., 3][LETTER]) for left in (40, 10, 9, 5, 1)]
    assert alphas == [255, 255, 230, 128, 25]


def test_the_chat_has_its_newest_line_below_on_a_dark_ground(worlds):
    for text in ("Set the time to 1000", "Player has reached \x02[Home]\x01."):
        add_chat_line(worlds, 0, text)
    canvas = drawn(draw_chat, worlds)
    assert inked(canvas, "Set the time to 1000", 303, 2, WHITE)
    green = text_mask("Player has reached ").shape[1] + 2
    assert inked(canvas, "[Home]", 312, green, (85, 255, 85))
    assert inked(canvas, ".", 312, green + text_mask("[Home]").shape[1], WHITE)
    ground = canvas[302:320, 200:326]
    assert (ground == [0, 0, 0, 127]).all()
    assert not canvas[:302].any()
    assert not canvas[:, 326:].any()


def test_chat_lines_fade_after_nine_seconds(worlds):
    add_chat_line(worlds, 0, "mmm")
    alphas = []
    for age in (0, 180, 190, 197, 198, 200, 300):
        worlds.players["tick"] = age
        alphas.append(int(drawn(draw_chat, worlds)[315, 300, 3]))
    assert alphas == [127, 127, 31, 2, 0, 0, 0]


def test_a_fresh_line_keeps_its_place_above_an_older_one(worlds):
    worlds.players["tick"] = 0
    add_chat_line(worlds, 0, "old")
    worlds.players["tick"] = 199
    add_chat_line(worlds, 0, "new")
    worlds.players["tick"] = 200
    canvas = drawn(draw_chat, worlds)
    assert inked(canvas, "new", 312, 2, WHITE)
    assert not canvas[:311].any()


def toast(worlds, place, code, moved, hides=0, whole=0):
    row = worlds.messages[:1]
    row["toast"][0, place], row["toast_moved"][0, place] = code, moved
    row["toast_hides"][0, place], row["toast_whole"][0, place] = hides, whole


def toasted(worlds):
    return drawn(draw_toasts, worlds, hud_art())


def test_toasts_stand_below_each_other_in_the_upper_right_corner(worlds):
    worlds.players["tick"] = 50
    toast(worlds, 0, ADVANCED_TOAST, 0)
    toast(worlds, 2, ADVANCED_TOAST + 7, 0)
    canvas = toasted(worlds)
    assert np.array_equal(canvas[:32, 480:], message_art().toasts[1])
    assert not canvas[32:64].any()
    assert np.array_equal(canvas[64:96, 480:], message_art().toasts[8])
    assert inked(canvas, "Advancement Made!", 7, 510, (255, 255, 0))
    assert inked(canvas, "Stone Age", 18, 510, WHITE)
    icon = item_icons()[item("wooden_pickaxe").id]
    assert np.array_equal(canvas[8:24, 488:504][icon[..., 3] > 0], icon[icon[..., 3] > 0])


def test_a_toast_slides_in_ever_faster_and_out_likewise(worlds):
    seen = []
    for hides in (0, 1):
        for tick in (100, 103, 106, 112, 200):
            worlds.players["tick"] = tick
            toast(worlds, 0, ADVANCED_TOAST, 100, hides)
            seen.append(int(toasted(worlds)[:32].any(axis=(0, 2)).sum()))
    assert seen == [0, 10, 40, 160, 160, 160, 150, 120, 0, 0]


def test_the_toast_about_recipes_shows_each_product_and_its_station_in_turn(worlds):
    numbers = [
        next(n for n, one in enumerate(unlocks()) if (one.product, one.station) == wanted)
        for wanted in (
            ("torch", "crafting_table"),
            ("charcoal", "furnace"),
            ("stone_bricks", "stonecutter"),
        )
    ]
    worlds.messages["recipes"][0, :3], worlds.messages["recipe_count"] = numbers, 3
    toast(worlds, 0, RECIPES_TOAST, 0, whole=12)
    for tick, number in ((12, 0), (45, 0), (46, 1), (78, 1), (79, 2), (111, 2), (112, 0)):
        worlds.players["tick"] = tick
        canvas = toasted(worlds)
        recipe = unlocks()[numbers[number]]
        for picture, left in (
            (item_icons()[item(recipe.product).id], 8),
            (small_icon(recipe.station), 2),
        ):
            side, solid = len(picture), picture[..., 3] == 255
            area = canvas[left : left + side, 480 + left : 480 + left + side]
            assert np.array_equal(area[solid], picture[solid]), (tick, left)
    assert inked(canvas, "New Recipes Unlocked!", 7, 510, (80, 0, 80))
    assert inked(canvas, "Check your recipe book", 18, 510, 0)


def test_the_small_icon_has_six_tenths_of_an_icons_size():
    texels = [1, 2, 4, 6, 7, 9, 11, 12, 14]
    icon = item_icons()[item("crafting_table").id]
    assert np.array_equal(small_icon("crafting_table"), icon[texels][:, texels])


def test_every_title_of_an_item_fits_above_the_hotbar():
    assert max(text_mask(title).shape[1] for title in item_titles()) < RIGHT


@pytest.fixture(scope="module")
def batch():
    """Return three worlds; the first and the last have messages of all kinds."""
    world = VoxelWorld(3, view_distance=16, threads=1)
    for row in range(3):
        setup = Setup(seed=row, inventory={"diamond": 5 + row, "oak_log": 1}, messages=row != 1)
        world.reset(row, setup)
    play(world, 9)
    world.command(0, "/time set 1000")
    play(world, 4)
    return world


def play(world, ticks):
    for _ in range(ticks):
        world.tick(range(world.count), np.zeros((world.count, ACTION_LENGTH), np.int32))


def frames(world, size, rows=(0, 1, 2)):
    images = np.zeros((len(rows), *size, 3), np.uint8)
    world.frames(list(rows), images)
    return images


def under(batch, size, row=0):
    """Return a world's picture without its messages."""
    batch.worlds.rules["messages"][row] = 0
    toasts = batch.worlds.messages["toast"][row].copy()
    batch.worlds.messages["toast"][row] = 0
    picture = frames(batch, size, [row])[0]
    batch.worlds.rules["messages"][row], batch.worlds.messages["toast"][row] = 1, toasts
    return picture


@pytest.mark.parametrize("size", [(360, 640), (128, 128), (64, 64), (37, 501), (720, 1280)])
def test_a_picture_of_any_size_shows_the_squeezed_messages(batch, size):
    wanted = under(batch, size).astype(np.int64)
    for draw, art in ((draw_name, ()), (draw_chat, ()), (draw_toasts, (hud_art(),))):
        canvas = new_canvas()
        box = draw(batch.worlds, 0, message_art(), *art, canvas)
        assert box[0] < box[1]
        large = size[0] > 360
        over = canvas.repeat(2, 0).repeat(2, 1) if large else squeezed(canvas, (size[1], size[0]))
        over = over.astype(np.int64)
        wanted = over[..., :3] + (wanted * (255 - over[..., 3:]) + 127) // 255
    assert np.array_equal(frames(batch, size, [0])[0], wanted)


def test_a_world_without_messages_has_the_same_bytes_and_never_reaches_their_kernels(
    batch, monkeypatch
):
    plain = VoxelWorld(1, view_distance=16, threads=1)
    plain.reset(0, Setup(seed=1, inventory={"diamond": 6, "oak_log": 1}))
    play(plain, 13)
    for name in ("lay_words", "lay_toasts"):
        monkeypatch.setattr(painter, name, None)
    assert np.array_equal(frames(plain, (90, 160), [0])[0], frames(batch, (90, 160), [1])[0])
    assert plain.snapshot(0) == batch.snapshot(1)
    plain.close()


def test_messages_change_the_picture_alone(batch):
    plain = VoxelWorld(1, view_distance=16, threads=1)
    plain.reset(0, Setup(seed=2, inventory={"diamond": 7, "oak_log": 1}))
    play(plain, 13)
    own = {
        name: data for name, data in batch.snapshot(2).parts if name not in ("messages", "rules")
    }
    assert own.items() <= dict(plain.snapshot(0).parts).items()
    assert np.array_equal(frames(plain, (90, 160), [0])[0], under(batch, (90, 160), 2))
    plain.close()


def test_a_snapshot_keeps_messages_and_threads_change_no_byte(batch):
    others = VoxelWorld(3, view_distance=16, threads=3)
    for row in range(3):
        others.restore(row, batch.snapshot(row))
    for size in ((64, 64), (360, 640)):
        alone = frames(batch, size)
        assert np.array_equal(frames(others, size), alone)
        assert np.array_equal(frames(batch, size, [2, 0, 1]), alone[[2, 0, 1]])
    one = VoxelWorld(1, view_distance=16, threads=1)
    one.restore(0, batch.snapshot(0))
    play(one, 30)
    play(others, 30)
    assert one.snapshot(0) == others.snapshot(0)
    assert np.array_equal(frames(one, (64, 64), [0])[0], frames(others, (64, 64))[0])
    one.close()
    others.close()


def test_the_chat_shows_the_lines_of_commands_unless_the_game_rule_hides_them():
    world = VoxelWorld(1, view_distance=16, threads=1)
    world.reset(0, Setup(seed=1, messages=True))
    told = [world.command(0, text) for text in ("/give @s stick 2", "/time set day")]
    row = world.worlds.messages[0]
    shown = [bytes(line[line != 0]).decode() for line in row["chat"][: row["chat_count"]]]
    assert shown == told[::-1] == ["Set the time to 1000", "Gave 2 [Stick] to Player"]
    world.command(0, "/gamerule sendCommandFeedback false")
    before = int(row["chat_count"])
    world.command(0, "/give @s stick 2")
    assert row["chat_count"] == before
    world.reset(0, Setup(seed=1))
    world.command(0, "/time set day")
    assert row["chat_count"] == 0, "a world without messages has no chat"
    world.close()


def test_toasts_lie_over_an_open_screen_and_the_name_lies_under_its_shade(batch):
    world = VoxelWorld(1, view_distance=16, threads=1)
    world.restore(0, batch.snapshot(0))
    before = frames(world, (360, 640), [0])[0]
    open_inventory(world.worlds, 0)
    after = frames(world, (360, 640), [0])[0]
    solid = drawn(draw_toasts, world.worlds, hud_art())[..., 3] == 255
    assert solid.any()
    assert np.array_equal(after[solid], before[solid])
    name = drawn(draw_name, world.worlds)[..., 0] == WHITE
    name[:, :326] = False  # the chat lies over the rest of the name
    assert (before[name] == WHITE).all()
    assert (after[name] < 120).all()
    world.close()
