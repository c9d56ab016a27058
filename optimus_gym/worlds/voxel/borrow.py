"""Arrays without reference count, for kernels that pass them on once a pixel or oftener."""

from typing import Any

from llvmlite import ir
from numba.extending import intrinsic

from optimus_gym.worlds.voxel.kernels import inline_kernel
from optimus_gym.worlds.voxel.state import Worlds


def _borrowed(typing_context: Any, array: Any) -> Any:
    """Return the array without its reference count; whoever owns it must keep it.

    Numba counts a reference at most calls that take an array, with an atomic instruction; that took
    most of the time of rays that are followed one by one (measured: 6 ms a frame of 128x128, not 1).
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        view = context.make_array(kind)(context, builder, arguments[0])
        view.meminfo = ir.Constant(view.meminfo.type, None)
        view.parent = ir.Constant(view.parent.type, None)
        return view._getvalue()

    return array(array), build


borrowed: Any = intrinsic(_borrowed)
"""Callable in kernels; see `_borrowed`."""


@inline_kernel
def borrowed_worlds(worlds: Worlds) -> Worlds:
    """Return the same worlds, of whose arrays nobody counts references; the caller keeps them."""
    return Worlds(
        borrowed(worlds.players),
        borrowed(worlds.slots),
        borrowed(worlds.skies),
        borrowed(worlds.assists),
        borrowed(worlds.drops),
        borrowed(worlds.furnaces),
        borrowed(worlds.events),
        borrowed(worlds.edits),
        borrowed(worlds.edit_index),
        borrowed(worlds.edit_links),
        borrowed(worlds.scheduled),
        borrowed(worlds.scheduled_index),
        borrowed(worlds.notes),
        borrowed(worlds.falling),
        borrowed(worlds.repairs),
        borrowed(worlds.waiting),
        borrowed(worlds.voxels),
        borrowed(worlds.field),
        borrowed(worlds.chunks),
        borrowed(worlds.fresh),
        borrowed(worlds.tops),
        borrowed(worlds.lit),
        borrowed(worlds.unlit),
        borrowed(worlds.light_changes),
        borrowed(worlds.light_waiting),
        borrowed(worlds.biomes),
        borrowed(worlds.living),
    )
