"""Lends games to clients: each client that plays a mission has a game of its own."""

import threading
from collections.abc import Callable

from optimus_gym.worlds.malmo.games import Game


class Seats:
    """At most `count` games, made when they are first needed.

    MineRL opens a new connection at every reset. The game that came back last is lent first, so that a client
    that plays alone always gets the same game.

    Args:
        count: maximum number of games.
        make_game: makes a game by its number, from 0 on; several threads may call it at once.
    """

    def __init__(self, count: int, make_game: Callable[[int], Game]) -> None:
        self.count = count
        self._make_game = make_game
        self._changed = threading.Condition()
        self._free: list[Game] = []
        self._in_house = 0
        self._made = 0
        self._closed = False

    def take(self, seconds: float) -> Game | None:
        """Lend a game; return None if all games are still in use after some seconds.

        Raises:
            OptimusError: the game cannot be made.
        """
        with self._changed:
            self._changed.wait_for(self._is_ready, seconds)
            if self._closed or not self._is_ready():
                return None
            if self._free:
                return self._free.pop()
            number = self._made
            self._made += 1
            self._in_house += 1
        try:
            return self._make_game(number)
        except BaseException:
            self._forget_one()
            raise

    def _is_ready(self) -> bool:
        return bool(self._free) or self._in_house < self.count or self._closed

    def _forget_one(self) -> None:
        with self._changed:
            self._in_house -= 1
            self._changed.notify()

    def give_back(self, game: Game, sound: bool = True) -> None:
        """Take back a game that was lent; a game that broke down is closed and makes room for a new one."""
        with self._changed:
            if sound and not self._closed:
                self._free.append(game)
                self._changed.notify()
                return
        try:
            game.close()
        finally:
            self._forget_one()

    def close(self) -> None:
        """Close all free games; each lent game is closed when it comes back."""
        with self._changed:
            self._closed = True
            free, self._free = self._free, []
            self._changed.notify_all()
        for game in free:
            game.close()
