"""The batches of one round of training after the other, the same for a seed wherever the training is taken up."""

from typing import Any

import keras
import numpy as np

from keras_albert.finetuning.settings import Steps
from keras_albert.tasks.text_batches import TextBatches
from keras_albert.text.batching import shuffled_batches


class TrainingRounds(keras.utils.PyDataset):
    """The training batches of the current round.

    Args:
        batches: the rows, encoded.
        steps: the steps of the run.
        seed: what an epoch's batches are drawn from, together with the epoch's number alone.
    """

    def __init__(self, batches: TextBatches, steps: Steps, seed: int) -> None:
        super().__init__()
        self._batches = batches
        self._steps = steps
        self._seed = seed
        self._epoch = -1
        self._epoch_batches: list[np.ndarray] = []
        self.start(0)

    def start(self, round_number: int) -> None:
        """Go to a round, from 0."""
        self._current = self._steps.of_round(round_number)

    def draw_batches(self) -> None:
        """Nothing is drawn anew: the seed and the step decide."""

    def __len__(self) -> int:
        return len(self._current)

    def __getitem__(self, index: int) -> Any:
        epoch, place = divmod(self._current[index], self._steps.in_epoch)
        if epoch != self._epoch:
            rng = np.random.default_rng([self._seed, epoch])
            self._epoch_batches = shuffled_batches(self._batches.lengths, self._batches.batch_size, rng)
            self._epoch = epoch
        return self._batches.batch_of(self._epoch_batches[place])
