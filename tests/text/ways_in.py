"""Every way in which texts reach a tokenizer; each gives the ids of all texts as lists."""

from collections.abc import Callable

import grain
import numpy as np
import tensorflow as tf

from keras_albert.text.tokenizer_base import TokenizerBase

Rows = list[list[int]]


def one_string(tokenizer: TokenizerBase, texts: list[str]) -> Rows:
    return [tokenizer(text) for text in texts]


def a_list(tokenizer: TokenizerBase, texts: list[str]) -> Rows:
    return tokenizer(texts)


def a_numpy_array(tokenizer: TokenizerBase, texts: list[str]) -> Rows:
    return tokenizer(np.array(texts, dtype=object))


def an_eager_tensor(tokenizer: TokenizerBase, texts: list[str]) -> Rows:
    return tokenizer(tf.constant(texts))


def tf_data(tokenizer: TokenizerBase, texts: list[str]) -> Rows:
    dataset = tf.data.Dataset.from_tensor_slices(texts).map(tokenizer, num_parallel_calls=tf.data.AUTOTUNE)
    return [row.tolist() for row in dataset.as_numpy_iterator()]


def tf_data_in_batches(tokenizer: TokenizerBase, texts: list[str]) -> Rows:
    dataset = tf.data.Dataset.from_tensor_slices(texts).batch(7).map(tokenizer, num_parallel_calls=tf.data.AUTOTUNE)
    return [row for rows in dataset for row in rows.to_list()]


def grain_data(tokenizer: TokenizerBase, texts: list[str]) -> Rows:
    return list(grain.MapDataset.source(texts).map(tokenizer))


def grain_data_in_batches(tokenizer: TokenizerBase, texts: list[str]) -> Rows:
    return [row for rows in grain.MapDataset.source(texts).batch(7).map(tokenizer) for row in rows]


WAYS_IN: list[Callable[[TokenizerBase, list[str]], Rows]] = [
    one_string,
    a_list,
    a_numpy_array,
    an_eager_tensor,
    tf_data,
    tf_data_in_batches,
    grain_data,
    grain_data_in_batches,
]
