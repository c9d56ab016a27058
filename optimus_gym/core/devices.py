"""PyTorch's devices by name."""

import torch

from optimus_gym.core.errors import BadValue, reason_of, shown


def device_named(name: str | None) -> torch.device:
    """Return a usable device; for None, return a GPU if there is one, else the CPU.

    Raises:
        BadValue: PyTorch does not know the device's name, or cannot use the device on this machine.

    >>> device_named("cpu")
    device(type='cpu')
    """
    wanted = ("cuda" if torch.cuda.is_available() else "cpu") if name is None else name
    try:
        made = torch.device(wanted)
        torch.zeros(1, device=made).cpu()
    except (RuntimeError, AssertionError, TypeError, NotImplementedError) as error:
        raise BadValue(
            f"device: expected a device that PyTorch can use here, such as 'cpu', got {shown(wanted)} "
            f"({reason_of(error)})"
        ) from error
    return made
