"""Keys and camera of a tick, drawn at random."""

from hypothesis import strategies as st

KEYS = st.fixed_dictionaries(
    {
        "forward": st.integers(0, 2), "side": st.integers(0, 2), "jump": st.integers(0, 1),
        "pace": st.integers(0, 2), "attack": st.integers(0, 1), "use": st.integers(0, 1),
        "hotbar": st.integers(0, 9), "pitch": st.integers(0, 10), "yaw": st.integers(0, 10),
    }
)  # fmt: skip
