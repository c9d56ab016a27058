"""Upkeep of the file with a memory's experience: count its contents, and make the file smaller."""

from collections.abc import Mapping
from typing import Final

from optimus_gym.core.checks import check_count
from optimus_gym.memory.database import PATIENCE_S, Database

BRIEFLY_MS: Final = 200
"""Milliseconds that emptying SQLite's write-ahead log waits for other processes."""

_OLD: Final = """
SELECT id FROM (
    SELECT id, row_number() OVER (PARTITION BY task, outcome ORDER BY id DESC) AS age FROM experience
) WHERE age > ?
"""
_LATER: Final = "SELECT id FROM experience ORDER BY id LIMIT -1 OFFSET ?"
_UNUSED: Final = """
DELETE FROM words WHERE text NOT IN (SELECT goal FROM experience)
AND text NOT IN (SELECT text FROM pursuit) AND text NOT IN (SELECT subgoal FROM reflection)
AND text NOT IN (SELECT failed FROM replan)
"""


def compact(database: Database, keep: int | None = None) -> int:
    """Delete old experiences if `keep` is given, and free the file's unused disk space.

    Args:
        database: a database that is open for writing.
        keep: how many of the newest experiences of each task and outcome stay; None keeps all.

    Returns:
        how many experiences were deleted.

    Raises:
        BadValue: the file cannot be written. If writing fails, either no experience is deleted, or the old
            experiences are deleted but their disk space is not freed.
    """
    return _without(database, _OLD, None if keep is None else check_count("keep", keep, 1))


def keep_oldest(database: Database, count: int) -> int:
    """Delete all but the oldest experiences, and free the file's unused disk space.

    Args:
        database: a database that is open for writing.
        count: how many experiences stay.

    Returns:
        how many experiences were deleted.

    Raises:
        BadValue: as in `compact`.
    """
    return _without(database, _LATER, check_count("count", count, 0))


def _without(database: Database, chosen: str, number: int | None) -> int:
    """Delete the experiences that a query with a number chooses, none without a number; free disk space."""
    gone = 0
    with database.told():
        if number is not None:
            with database.transaction():
                found = f"DELETE FROM experience WHERE id IN ({chosen})"
                gone = database.connection.execute(found, (number,)).rowcount
                database.connection.execute(_UNUSED)
        database.connection.execute("VACUUM")
        _empty_log(database)
    return gone


def _empty_log(database: Database) -> None:
    """Empty SQLite's write-ahead log; if the file is in use, the last process to close the file does so."""
    run = database.connection.execute
    run(f"PRAGMA busy_timeout = {BRIEFLY_MS}")
    run("PRAGMA wal_checkpoint(TRUNCATE)")
    run(f"PRAGMA busy_timeout = {round(1000 * PATIENCE_S)}")


def counts(database: Database) -> Mapping[str, Mapping[str, int]]:
    """Return how many experiences there are by task and outcome ("success", "failure", "" if unfinished).

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
    """Return how many pictures, sub-goals, reflections and texts the file has, and all pictures' total bytes.

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
