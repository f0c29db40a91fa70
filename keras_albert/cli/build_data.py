"""`keras-albert build-data`: pretraining data from raw text."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from keras_albert.cli import corpus_options
from keras_albert.cli.byte_progress import ByteProgress
from keras_albert.cli.loading import loading
from keras_albert.cli.report import print_facts

if TYPE_CHECKING:
    from keras_albert.pretraining import BuildProgress

NAME = "build-data"
_FEATURES = "Google's features (--form features)"
EXAMPLE = "Example: keras-albert build-data 'corpus/*.txt.gz' --tokenizer my_vocabulary --output my_data"


class Form(StrEnum):
    """What the data are."""

    documents = "documents"
    features = "features"


class Pairs(StrEnum):
    """What pairs of segments are made for."""

    sentence_order = "sentence_order"
    google = "google"
    next_sentence = "next_sentence"
    none = "none"


def _feature(text: str, **limits: Any) -> Any:
    return typer.Option(help=text, rich_help_panel=_FEATURES, **limits)


def run(
    files: corpus_options.Files,
    tokenizer: Annotated[
        str,
        typer.Option(
            metavar="TOKENIZER",
            help="A folder of train-vocabulary, a SentencePiece .model, a WordPiece vocab.txt, or a preset.",
        ),
    ],
    output: Annotated[str, typer.Option(metavar="OUTPUT", help="The folder to write.")],
    workers: Annotated[
        int | None, typer.Option(help="Processes. By default one for each CPU, 8 at most.", min=1)
    ] = None,
    lines: corpus_options.LineKind = corpus_options.Lines.paragraph,
    text: corpus_options.TextColumn = "text",
    language: Annotated[
        str, typer.Option(help="Language that paragraphs are split by: en, zh, …", rich_help_panel="Corpus")
    ] = "en",
    max_document_characters: Annotated[
        int, typer.Option(help="A longer document goes on as another one.", min=1, rich_help_panel="Corpus")
    ] = 4_000_000,
    shard_characters: Annotated[
        int, typer.Option(help="Characters after which a file of the folder ends.", min=1)
    ] = 1_000_000,
    lowercase: Annotated[
        bool | None, typer.Option(help="Whether texts are lower-cased. By default as the tokenizer has it.")
    ] = None,
    strip_accents: Annotated[
        bool | None, typer.Option(help="Whether accents are dropped. By default as the tokenizer has it.")
    ] = None,
    form: Annotated[
        Form,
        typer.Option(
            help="Documents are paired and masked anew while a model is pretrained; features, TFRecord files for "
            "Google's code too, are paired and masked here."
        ),
    ] = Form.documents,
    sequence_length: Annotated[int, _feature("Tokens of a row.", min=5)] = 512,
    max_masks: Annotated[int, _feature("Predictions of a row at most.", min=1)] = 20,
    mask_share: Annotated[float, _feature("Share of the tokens that is predicted.", min=0.001, max=1.0)] = 0.15,
    max_ngram: Annotated[int, _feature("Words that are masked together at most.", min=1)] = 3,
    whole_words: Annotated[bool, _feature("Whether all pieces of a word are masked together.")] = True,
    permutation: Annotated[bool, _feature("Whether as many tokens again are permuted.")] = False,
    pairs: Annotated[Pairs, _feature("What pairs of segments are made for.")] = Pairs.sentence_order,
    short_sequences: Annotated[float, _feature("Share of the documents with shorter rows.", min=0.0, max=1.0)] = 0.1,
    dupe_factor: Annotated[int, _feature("How often documents are paired and masked.", min=1)] = 40,
    seed: Annotated[int, _feature("Seed of pairs and masks.", min=0)] = 0,
    overwrite: corpus_options.Overwrite = False,
) -> None:
    """Tokenize a corpus into files that a model is pretrained on.

    OUTPUT gets shards/, tokenizer/ and manifest.json; the same for any number of
    workers. Memory does not follow the size of the corpus. After a kill the same
    command goes on.
    """
    with loading():
        from keras_albert.pretraining import BuildSettings, CorpusSettings, FeatureSettings, build_data, load_tokenizer
        from keras_albert.pretraining.pairs import PairSettings
        from keras_albert.text.masking import Masking

    corpus = CorpusSettings(lines=lines.value, text=text, max_document_characters=max_document_characters)
    features = FeatureSettings(
        PairSettings(pairs.value, sequence_length, short_sequences),
        Masking(
            share=mask_share,
            max_masks=max_masks,
            max_ngram=max_ngram,
            whole_words=whole_words,
            permutation=permutation,
        ),
        dupe_factor,
        seed,
    )
    settings = BuildSettings(corpus, language, shard_characters, features if form is Form.features else None)
    options: dict[str, Any] = {"lowercase": lowercase, "strip_accents": strip_accents}
    options = {name: value for name, value in options.items() if value is not None}
    with loading():
        loaded = load_tokenizer(tokenizer, **options) if options else tokenizer
    with ByteProgress("Reading") as progress:

        def show(state: "BuildProgress") -> None:
            kept = f", {state.kept_shards:,} files of an earlier call" if state.kept_shards else ""
            progress.at(state.bytes_read, state.total_bytes, f"{state.tokens:,} tokens{kept}")

        data = build_data(files, loaded, output, settings, workers, overwrite, show)
    manifest = data.manifest
    print_facts(
        {
            "Data": f"{len(data.shards):,} files of {sum(s.bytes for s in manifest.shards):,} bytes in {output}",
            "Documents": f"{manifest.documents:,} of {manifest.sentences:,} sentences, {manifest.tokens:,} tokens",
            **({"Rows": f"{manifest.instances:,}"} if form is Form.features else {}),
            **corpus_options.notes(manifest.counts),
        }
    )
