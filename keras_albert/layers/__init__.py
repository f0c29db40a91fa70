"""Layers that the ALBERT paper adds to Keras."""

from keras_albert.layers.activations import activation_function
from keras_albert.layers.dropout import Dropout
from keras_albert.layers.factorized_embedding import FactorizedEmbedding
from keras_albert.layers.feed_forward import FeedForward
from keras_albert.layers.heads import MaskedLMHead, class_head
from keras_albert.layers.initializer import kernel_initializer
from keras_albert.layers.self_attention import SelfAttention
from keras_albert.layers.span_heads import SpanHead
from keras_albert.layers.transformer_encoder import TransformerEncoder
from keras_albert.layers.verifier_head import VerifierHead

__all__ = [
    "Dropout",
    "FactorizedEmbedding",
    "FeedForward",
    "MaskedLMHead",
    "SelfAttention",
    "SpanHead",
    "TransformerEncoder",
    "VerifierHead",
    "activation_function",
    "class_head",
    "kernel_initializer",
]
