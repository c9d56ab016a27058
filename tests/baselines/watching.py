"""What a training shows while it goes on."""

from optimus_gym.terminal.bars import bars


def shown_bars(monkeypatch, module):
    """A list that all displays of bars come into which a module makes from now on."""
    made = []

    def noted(*given):
        made.append(bars(*given))
        return made[-1]

    monkeypatch.setattr(module, "bars", noted)
    return made
