"""Train a tiny random model with GRPO, where BLEU is the reward.

    pip install trl==1.16.0 torch==2.13.0
    python examples/grpo.py

It takes less than a minute on a CPU. The model has one layer and a vocabulary of 20 words. It
learns to write the sentence that belongs to a word.
"""

from __future__ import annotations

import tempfile

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, set_seed
from trl import GRPOConfig, GRPOTrainer

from bleuet.rewards import trl_reward

SENTENCES = {"indoors": "the cat sat on the mat .", "outdoors": "a dog ran in the park today ."}
OTHER_WORDS = ["and", "then", "it", "slept"]
STEPS = 250


def make_tokenizer() -> PreTrainedTokenizerFast:
    """Return a tokenizer with a token for each word."""
    words = " ".join([*SENTENCES, *SENTENCES.values()]).split()
    tokens = dict.fromkeys(["<pad>", "<eos>", *OTHER_WORDS, *words])
    vocabulary = {token: number for number, token in enumerate(tokens)}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="<pad>"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=made, pad_token="<pad>", eos_token="<eos>")


def make_model(tokenizer: PreTrainedTokenizerFast) -> LlamaForCausalLM:
    """Return a model with random weights."""
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=64,
            intermediate_size=128,
            num_hidden_layers=1,
            num_attention_heads=4,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
            bos_token_id=None,
        )
    )


def train(steps: int = STEPS) -> list[float]:
    """Return the mean reward of every 25 steps."""
    set_seed(1)
    torch.set_num_threads(1)
    tokenizer = make_tokenizer()
    rows = [{"prompt": word, "reference": text} for word, text in SENTENCES.items()]
    with tempfile.TemporaryDirectory() as folder:
        trainer = GRPOTrainer(
            model=make_model(tokenizer),
            reward_funcs=trl_reward("bleu:smooth=add-k"),
            args=GRPOConfig(
                output_dir=folder,
                max_steps=steps,
                per_device_train_batch_size=64,
                num_generations=32,
                max_completion_length=9,
                learning_rate=5e-3,
                beta=0.0,
                logging_steps=25,
                save_strategy="no",
                report_to=[],
                use_cpu=True,
                bf16=False,
                disable_tqdm=True,
            ),
            train_dataset=Dataset.from_list(rows * 100),
            processing_class=tokenizer,
        )
        trainer.train()
        return [one["reward"] for one in trainer.state.log_history if "reward" in one]


if __name__ == "__main__":
    for number, reward in enumerate(train(), 1):
        print(f"steps to {25 * number:3}: reward {reward:.3f}")
