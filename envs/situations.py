"""Makes the situations that an agent sees: what the protocol lets be known of a row at this tick."""

from collections.abc import Sequence
from functools import partial

from optimus_gym.core.situation import PICTURE_SIZE, Picture, Situation, Vitals
from optimus_gym.envs.episode import Course
from optimus_gym.envs.glances import Glances
from optimus_gym.envs.runtime import Runtime, named
from optimus_gym.game.equipment import PLACES
from optimus_gym.game.items import item_names


def situations_of(
    runtime: Runtime, courses: Sequence[Course], glances: Glances, rows: Sequence[int]
) -> list[Situation]:
    """Return the present situation of each of `rows`.

    Args:
        runtime: the worlds and episodes.
        courses: every row's course.
        glances: draws what the observation shows.
        rows: rows whose worlds work.
    """
    if not rows:
        return []
    world, tells = runtime.world, runtime.config.rules.tells
    worn, vitals = world.bodies(rows)
    poses = world.poses(rows).tolist()
    povs = glances.pictures(rows)
    names = item_names()
    made = []
    for n, row in enumerate(rows):
        episode, course = runtime.episode(row), courses[row]
        gained, consumed = changes(runtime, course, row)
        x, y, z = poses[n][:3]
        made.append(
            Situation(
                row=row,
                task=episode.task,
                goal=episode.goal,
                tick=episode.ticks,
                budget=episode.budget,
                inventory=runtime.inventory(row),
                equipment={p: names[k] for p, k in zip(PLACES, worn[n].tolist(), strict=True) if k},
                vitals=Vitals(*vitals[n].tolist()),
                height=y,
                stations=world.stations(row),
                biome=world.biome(row) if "biome" in tells else None,
                position=(x, y, z) if "position" in tells else None,
                subgoal=course.latest,
                gained=gained,
                consumed=consumed,
                seed=episode.seed,
                picture=_picture(runtime, row) if "pictures" in runtime.can else None,
                pov=povs[n],
            )
        )
    return made


def changes(runtime: Runtime, course: Course, row: int) -> tuple[dict[str, int], dict[str, int]]:
    """Return what is held more, and what less, than when the row's latest sub-goal began, by name."""
    if course.held_then is None:
        return {}, {}
    difference = runtime.counts[row] - course.held_then
    return named(difference), named(-difference)


def _picture(runtime: Runtime, row: int) -> Picture:
    moment = int(runtime.moments[row])
    return Picture(
        partial(runtime.frame, row, PICTURE_SIZE), partial(_is_moment, runtime, row, moment)
    )


def _is_moment(runtime: Runtime, row: int, moment: int) -> bool:
    return bool(runtime.moments[row] == moment)
