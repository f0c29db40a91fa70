"""`keras-albert train-vocabulary`: a SentencePiece vocabulary from raw text."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from keras_albert.cli import corpus_options
from keras_albert.cli.byte_progress import ByteProgress
from keras_albert.cli.loading import loading
from keras_albert.cli.report import print_facts

NAME = "train-vocabulary"
EXAMPLE = "Example: keras-albert train-vocabulary 'corpus/*.txt.gz' --output my_vocabulary"
_MODEL = ".model"


def run(
    files: corpus_options.Files,
    output: Annotated[
        str,
        typer.Option(metavar="OUTPUT", help="A folder for `build-data --tokenizer`, or a file that ends in .model."),
    ],
    size: Annotated[int, typer.Option(help="Number of pieces, the 13 special ones included.", min=14)] = 30_000,
    coverage: Annotated[
        float, typer.Option(help="Fraction of the characters that the pieces spell.", min=0.98, max=1.0)
    ] = 0.99995,
    sample: Annotated[
        int, typer.Option(help="Lines to draw at random, where there are more; they are held in memory.", min=1)
    ] = 10_000_000,
    seed: Annotated[int, typer.Option(help="Seed of the sample.", min=0)] = 0,
    lines: corpus_options.LineKind = corpus_options.Lines.paragraph,
    text: corpus_options.TextColumn = "text",
    lowercase: Annotated[bool, typer.Option(help="Whether texts are lower-cased.")] = True,
    strip_accents: Annotated[bool, typer.Option(help="Whether accents are dropped.")] = True,
    overwrite: corpus_options.Overwrite = False,
) -> None:
    """Train a SentencePiece vocabulary with the settings of the released 30,000 pieces.

    The first ids are <pad>, <unk>, [CLS], [SEP], [MASK]. A folder keeps beside the
    model how texts are normalized; with a .model alone, give build-data the same
    --no-lowercase and --no-strip-accents. WordPiece vocabularies are not trained.
    """
    with loading():
        from keras_albert.presets.output_folder import check_destination, new_folder
        from keras_albert.pretraining import CorpusSettings, vocabulary_from_files

    is_file = Path(output).suffix.lower() == _MODEL
    if is_file:
        _check_file(Path(output), overwrite)
    else:
        check_destination(output, overwrite)
    with ByteProgress("Reading") as progress:
        proto, counts = vocabulary_from_files(
            files,
            vocabulary_size=size,
            character_coverage=coverage,
            sample_size=sample,
            seed=seed,
            lowercase=lowercase,
            strip_accents=strip_accents,
            settings=CorpusSettings(lines=lines.value, text=text),
            on_progress=progress.at,
        )
    if is_file:
        _write_file(Path(output), proto)
    else:
        with loading():
            from keras_albert.pretraining import write_tokenizer
            from keras_albert.text import AlbertTokenizer

        with new_folder(output, overwrite) as folder:
            write_tokenizer(AlbertTokenizer(proto, lowercase=lowercase, strip_accents=strip_accents), folder)
    print_facts(
        {
            "Vocabulary": f"{size:,} pieces in {output}",
            "Corpus": f"{counts.documents:,} documents, {counts.characters:,} characters",
            **corpus_options.notes(asdict(counts)),
        }
    )


def _check_file(path: Path, overwrite: bool) -> None:
    if path.is_dir() or (path.exists() and not overwrite):
        raise FileExistsError(f"{path} is there already. Name another file, or replace it by --overwrite.")


def _write_file(path: Path, content: bytes) -> None:
    from keras_albert.presets.output_folder import writing
    from keras_albert.text.assets import write_file

    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, content)
