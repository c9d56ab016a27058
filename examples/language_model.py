"""Let a language model play through text: `info["situation"]` describes the game and lists the actions.

Run it with `python examples/language_model.py`; a stand-in then follows the plan. With a server of OpenAI's
protocol (`pip install -e ".[mllm]"`, keys in OPENAI_API_KEY and OPENAI_BASE_URL):
`python examples/language_model.py some-model`. In this example the model is outside of the
environment; `docs/language_models.md` says how to plug a model in as the agent's planner.
"""

import re
import sys

import gymnasium as gym

import optimus_gym  # noqa: F401  registers the ids

QUESTION = "{situation}\n\nWhich action comes next? Answer with its number alone."


def stand_in(question):
    return "0"  # follow the plan


def server(model):
    from openai import OpenAI

    client = OpenAI()

    def ask(question):
        messages = [{"role": "user", "content": question}]
        reply = client.chat.completions.create(model=model, messages=messages)
        return reply.choices[0].message.content or ""

    return ask


def chosen(answer, mask):
    """Return the last possible action that an answer names, or 0: follow the plan."""
    numbers = [int(number) for number in re.findall(r"\d+", answer)]
    return next((k for k in reversed(numbers) if k < len(mask) and mask[k]), 0)


def main(ask=stand_in, task="Wood", seed=0):
    env = gym.make(f"Optimus-{task}-v0", world="symbolic")
    _, info = env.reset(seed=seed)
    over = False
    while not over:
        answer = ask(QUESTION.format(situation=info["situation"]))
        action = chosen(answer, info["action_mask"])
        _, _, terminated, truncated, info = env.step(action)
        print(answer[-40:], "->", info["subgoal"], info["outcome"])
        over = terminated or truncated
    return info["status"]


if __name__ == "__main__":
    main(*(server(model) for model in sys.argv[1:]))
