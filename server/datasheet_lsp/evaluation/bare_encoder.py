"""A process that embeds texts with the library alone, to compare with.

``python -m datasheet_lsp.evaluation.bare_encoder FILE``: FILE has, as MessagePack, the path of a
sentence-transformers model, the number of threads (0: as many as it likes) and the texts. All are
embedded at once, 32 together, as the library itself puts them in order. Prints seconds on the
clock and of the processors, without those of loading.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import msgspec

from datasheet_lsp.engine.loading import BATCH, offline


def main() -> None:
    """Embed and print."""
    path, threads, texts = msgspec.msgpack.decode(
        Path(sys.argv[1]).read_bytes(), type=tuple[str, int, list[str]]
    )
    offline()
    import torch
    from sentence_transformers import SentenceTransformer

    if threads:
        torch.set_num_threads(threads)
    model = SentenceTransformer(path, device="cpu", local_files_only=True)
    model.encode(texts[:BATCH], batch_size=BATCH, show_progress_bar=False)
    wall, cpu = time.perf_counter(), time.process_time()
    model.encode(texts, batch_size=BATCH, show_progress_bar=False)
    print(time.perf_counter() - wall, time.process_time() - cpu)


if __name__ == "__main__":
    main()
