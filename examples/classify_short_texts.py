"""Train a small ALBERT from scratch on 860 labelled short texts, and show what it learned.

    python examples/classify_short_texts.py --output demo

It trains a vocabulary of 1,000 pieces and a model of 3 layers on the texts of `examples/short_texts.jsonl`, raw strings
in, and prints the accuracy on the test texts beside the majority baseline. `--seeds 20` trains that many models. Any
backend does: KERAS_BACKEND=jax, torch or tensorflow.
"""
