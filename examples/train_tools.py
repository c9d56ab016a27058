"""Train a tiny language model for two steps with TRL; the model plays by calling the tools of `ToolEnv`.

Run it with `python examples/train_tools.py`, after `pip install trl`. The model is made from a configuration,
without weights from elsewhere. Each of a few calls is one word of its vocabulary, and it may say these words
alone: so even an untrained model calls tools. Another model is the argument `model` of `GRPOTrainer`.
"""

import json
import tempfile
from functools import partial

from optimus_gym.wrappers import ToolEnv

TASK = {"item": "stick", "count": 4}
CALLS = (
    ("mine", {"item": "log", "count": 1}),
    ("craft", {"item": "planks", "count": 4}),
    ("craft", {"item": "stick", "count": 4}),
    ("status", {}),
)
END = "<|im_end|>"


def call_word(name, arguments):
    told = json.dumps({"name": name, "arguments": arguments})
    return f"<tool_call>\n{told}\n</tool_call>"


def tiny_tokenizer():
    from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast
    from trl.chat_template_utils import qwen2_5_chat_template

    words = Tokenizer(models.WordLevel(unk_token="?"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.WordLevelTrainer(vocab_size=300, special_tokens=["?", END, "<|im_start|>"])
    words.train_from_iterator([str(vars(ToolEnv)), ToolEnv.__doc__], trainer)
    words.add_tokens([AddedToken(call_word(*call), normalized=False) for call in CALLS])
    return PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token=END, pad_token="?", chat_template=qwen2_5_chat_template
    )


def main(steps=2, rollouts=8):
    from datasets import Dataset
    from transformers import Qwen2Config, Qwen2ForCausalLM, set_seed
    from trl import GRPOConfig, GRPOTrainer

    set_seed(0)
    words = tiny_tokenizer()
    shape = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 1}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 2, "vocab_size": len(words)}
    said = {words.eos_token_id, *(words.convert_tokens_to_ids(call_word(*call)) for call in CALLS)}
    silent = [token for token in range(len(words)) if token not in said]
    row = {"prompt": [{"role": "user", "content": "Reach the task.\n\n"}], "seed": 100_000}
    with tempfile.TemporaryDirectory() as folder:
        config = GRPOConfig(
            folder, max_steps=steps, per_device_train_batch_size=rollouts, num_generations=rollouts,
            learning_rate=0.01, max_completion_length=1024, max_tool_calling_iterations=4,
            generation_kwargs={"suppress_tokens": silent}, use_cpu=True, bf16=False, seed=0,
            logging_steps=1, save_strategy="no", report_to="none",
        )  # fmt: skip
        trainer = GRPOTrainer(
            Qwen2ForCausalLM(Qwen2Config(**shape, **heads)),
            args=config,
            train_dataset=Dataset.from_list([row] * rollouts),
            processing_class=words,
            environment_factory=partial(ToolEnv, task=TASK, world="symbolic", pictures=False),
        )
        trainer.train()
    history = [told for told in trainer.state.log_history if "reward" in told]
    for told in history:
        print(f"reward {told['reward']:.2f}, calls {told['tools/call_frequency']:.2f}")
    return history


if __name__ == "__main__":
    main()
