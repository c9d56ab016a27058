"""Upkeep of a memory's experience: counts, sizes, and making the file smaller."""

from collections.abc import Mapping
from typing import Final

from optimus_gym.core.checks import check_count
from optimus_gym.memory.database import PATIENCE_S, Database

BRIEFLY_MS: Final = 200
"""Milliseconds to wait for other processes before the write-ahead log is emptied."""

_OLD: Final = """
SELECT id FROM (
    SELECT id, row_number() OVER (PARTITION BY task, outcome ORDER BY id DESC) AS age FROM experience
) WHERE age > ?
"""
_UNUSED: Final = """
DELETE FROM words WHERE text NOT IN (SELECT goal FROM experience)
AND text NOT IN (SELECT text FROM pursuit) AND text NOT IN (SELECT subgoal FROM reflection)
AND text NOT IN (SELECT failed FROM replan)
"""


def compact(database: Database, keep: int | None = None) -> int:
    """Free unused disk space.

    Args:
        database: a database that is open for writing.
        keep: how many experiences of each task and outcome stay, the newest ones; None keeps all.

    Returns:
        how many experiences were deleted.

    Raises:
        BadValue: the file cannot be written. Then either no experience was deleted, or the experiences were
            deleted but their space was not freed.
    """
    gone = 0
    with database.told():
        if keep is not None:
            check_count("keep", keep, 1)
            with database.transaction():
                found = f"DELETE FROM experience WHERE id IN ({_OLD})"
                gone = database.connection.execute(found, (keep,)).rowcount
                database.connection.execute(_UNUSED)
        database.connection.execute("VACUUM")
        _empty_log(database)
    return gone


def _empty_log(database: Database) -> None:
    """Empty the write-ahead log; while other processes read the file, the last to close it does so."""
    run = database.connection.execute
    run(f"PRAGMA busy_timeout = {BRIEFLY_MS}")
    run("PRAGMA wal_checkpoint(TRUNCATE)")
    run(f"PRAGMA busy_timeout = {round(1000 * PATIENCE_S)}")


def counts(database: Database) -> Mapping[str, Mapping[str, int]]:
    """Return how many experiences there are by task and outcome ("success", "failure", "").

    Raises:
        BadValue: the file cannot be read.
    """
    counted: dict[str, dict[str, int]] = {}
    with database.told():
        database.connection.row_factory = None
        found = database.connection.execute(
            "SELECT task, outcome, count(*) FROM experience GROUP BY task, outcome ORDER BY task"
        )
        for task, outcome, count in found:
            counted.setdefault(task, {})[outcome] = count
    return counted


def sizes(database: Database) -> Mapping[str, int]:
    """Return the numbers of pictures, sub-goals, reflections and texts, and the total bytes of the pictures.

    Raises:
        BadValue: the file cannot be read.
    """
    asked = {
        "sub-goals": "SELECT count(*) FROM pursuit",
        "reflections": "SELECT count(*) FROM reflection",
        "texts": "SELECT count(*) FROM words",
        "pictures": "SELECT count(*) FROM image",
        "bytes of pictures": "SELECT coalesce(sum(length(picture)), 0) FROM image",
    }
    with database.told():
        database.connection.row_factory = None
        return {
            name: int(database.connection.execute(query).fetchone()[0])
            for name, query in asked.items()
        }
