"""From raw text to packed arrays with masked tokens; what both pretraining tasks preprocess with.

Paper section 3.2; `create_masked_lm_predictions` of google-research/albert create_pretraining_data.py.
"""

from typing import Any, ClassVar

import numpy as np

from keras_albert.tasks.preprocessor import AlbertPreprocessor, EncodedTexts
from keras_albert.text.masking import Masking, MaskingVocabulary, mask_tokens


class MaskingPreprocessor(AlbertPreprocessor):
    """Tokenizes, packs and masks texts anew at every call.

    Whole words are masked, in n-grams of up to three; see `keras_albert.text.masking`.

    Args:
        tokenizer: the tokenizer.
        max_masks: the number P of slots for predictions; Google's pretraining has 20.
        seed: seed of the masks; None draws one from NumPy's global generator (`keras.utils.set_random_seed`).
        **kwargs: see `AlbertPreprocessor`.
    """

    feature_dtypes: ClassVar[dict[str, str]] = AlbertPreprocessor.feature_dtypes | {
        "mask_positions": "int32",
        "mask_ids": "int32",
        "mask_weights": "float32",
    }

    def __init__(self, tokenizer: Any, max_masks: int = 20, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(tokenizer, **kwargs)
        self.max_masks = max_masks
        self._masking = Masking(max_masks=max_masks)
        self.seed = seed
        self._rng: np.random.Generator | None = None
        self._vocabulary: MaskingVocabulary | None = None

    def row_length(self, name: str) -> int | None:
        """Return the length of a feature's rows: P for what belongs to the masks."""
        return self.max_masks if name.startswith("mask_") else super().row_length(name)

    def features(self, encoded: EncodedTexts, rows: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Pack and mask rows of encoded texts; see `AlbertPreprocessor.features`."""
        if self._vocabulary is None or self._rng is None:
            self._vocabulary = MaskingVocabulary.from_pieces(
                self.tokenizer.get_vocabulary(), self.tokenizer.mask_token_id, self.tokenizer.special_token_ids
            )
            self._rng = np.random.default_rng(np.random.randint(2**31) if self.seed is None else self.seed)
        packed = super().features(encoded, rows)
        token_ids, slots = mask_tokens(
            packed["token_ids"], packed["padding_mask"], self._vocabulary, self._masking, self._rng
        )
        return packed | {"token_ids": token_ids} | slots

    @staticmethod
    def without_labels(features: dict[str, Any]) -> dict[str, Any]:
        """Return what the model takes."""
        return {name: array for name, array in features.items() if name not in ("mask_ids", "mask_weights")}

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {"max_masks": self.max_masks, "seed": self.seed}
