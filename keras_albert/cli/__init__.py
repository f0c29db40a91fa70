"""The command line `keras-albert`: one file a subcommand, which parses, calls one function and reports."""

from keras_albert.cli.application import main

__all__ = ["main"]
