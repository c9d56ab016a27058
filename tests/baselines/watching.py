"""Access to the bars that a training shows."""

from optimus_gym.terminal.bars import bars


def shown_bars(monkeypatch, module):
    """Return a list that collects all displays of bars that a module makes from now on."""
    made = []

    def noted(*given):
        made.append(bars(*given))
        return made[-1]

    monkeypatch.setattr(module, "bars", noted)
    return made
