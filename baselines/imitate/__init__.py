"""Imitation: a network learns from the controller `teacher` to mine and to hunt, from pixels.

    python -m optimus_gym.baselines.imitate

| file | what is in it |
| --- | --- |
| `lessons.json`, `lesson_book.py` | the lessons: tasks, and how much of each |
| `tutor.py` | a controller that acts as the teacher or the pupil, and notes the right actions |
| `practice.py` | plays lessons in several processes, and keeps what was noted in files |
| `network.py` | the network, and its file in ONNX's form |
| `imitation.py` | the updates of a round |
| `trials.py` | figures on validation seeds, beside floors |
| `__main__.py` | the command: rounds of gathering and learning, then the trials |
"""
