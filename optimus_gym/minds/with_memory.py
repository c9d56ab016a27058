"""The life of an agent that may have a memory folder: its memory, its diary and its aligner."""

from typing import Any

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.parts import part_of
from optimus_gym.memory.database import MEMORY_FILE
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.minds.attaching import Attaching
from optimus_gym.minds.custody import ON_BAD_MEMORY, STOPPING, Custody
from optimus_gym.minds.eyes import ScreenEyes
from optimus_gym.minds.instead import Instead, check_instead
from optimus_gym.minds.remembering import NoDiary, Remembering
from optimus_gym.vision.aligner import Aligner
from optimus_gym.vision.screen import ScreenReader


class WithMemory(Attaching):
    """An agent that may read a memory folder, and writes it if the environment learns.

    Args:
        max_replans: maximum number of new plans of an episode after setbacks.
        max_repeats: the agent gives up if a sub-goal fails more often than this for the same reason.
        on_no_plan: substitute if the backbone's answers hold no plan: "give_up", "goal" (the bare goal is
            pursued) or "rules" (the rules plan); None: "goal" with the backbone `rules`, else "give_up".
        aligner: compares pictures with words, by name or specification (kind "aligner"); made on first use.
        on_bad_memory: what the agent does if it cannot read or write its memory: "stop" raises the error;
            "go_on" warns once, and the agent neither reads nor writes the memory from then on.

    Attributes:
        diary: notes and stores the episodes.
        custody: guards the use of the memory folder.

    Raises:
        BadValue: an option has a wrong type or value.
        UnknownName: an option names something unknown.
    """

    custody = STOPPING
    diary: Remembering | NoDiary
    _pool: ExperiencePool | None = None
    _aligner: Aligner | None = None

    def __init__(
        self,
        max_replans: int,
        max_repeats: int,
        on_no_plan: Instead | None,
        aligner: Any,
        on_bad_memory: str,
    ) -> None:
        super().__init__(max_replans, max_repeats)
        self.on_no_plan = None if on_no_plan is None else check_instead(on_no_plan)
        self.wanted_aligner: Any = part_of("aligner", aligner) or aligner
        self.on_bad_memory = check_name("on_bad_memory", on_bad_memory, ON_BAD_MEMORY)

    def _begin_attaching(self, setting: AgentSetting) -> None:
        """Forget a former environment, and guard the new environment's memory folder.

        Raises:
            BadValue: `learn` is set, but there is no folder to learn into.
        """
        if setting.learn and setting.memory is None and setting.learn_into is None:
            raise BadValue("learn: expected a memory folder, got none")
        super()._begin_attaching(setting)
        self.custody = Custody(self.on_bad_memory, setting.memory)

    def _detach(self) -> None:
        """Close the memory, and forget the environment."""
        if self._pool is not None:
            self._pool.close()
        super()._detach()

    @property
    def aligner(self) -> Aligner:
        """Return the aligner, which compares pictures with words; make the aligner on first use."""
        if self._aligner is None:
            part = part_of("aligner", self.wanted_aligner)
            self._aligner = self.wanted_aligner if part is None else part.build()
        assert self._aligner is not None, "the aligner has been made"
        return self._aligner

    @property
    def memory_lost(self) -> str:
        """Return in words why the agent goes on without its memory; "" if the memory is in use."""
        return self.custody.fault

    def _opened_pool(self) -> ExperiencePool | None:
        """Return the memory folder's experience, opened once for reading; None without experience."""
        folder = self._setting.memory
        if self._pool is None and folder is not None and (folder / MEMORY_FILE).is_file():
            self._pool = ExperiencePool(folder, self.aligner, writes=False)
        return self._pool

    def _new_diary(self, **options: Any) -> Remembering | NoDiary:
        """Return the part that notes episodes and stores them where the agent learns.

        Args:
            options: arguments of `Remembering`.
        """
        setting = self._setting
        folder = setting.learn_into or setting.memory
        if not setting.learn or folder is None:
            return NoDiary()
        return Remembering(folder, self.aligner, apart=setting.learn_into is not None, **options)

    def _screen_eyes(self) -> ScreenEyes:
        return ScreenEyes(ScreenReader(self.aligner, self._setting.overlay))
