"""Names of pieces: the meaning of the odds of colours, poses and kinds."""

from __future__ import annotations

from dataclasses import dataclass

from vision.pieces.kind_classifier import list_kinds
from vision.runtime.onnx import Net


@dataclass(frozen=True, slots=True)
class Names:
    """The names behind the odds of a piece."""

    colours: tuple[str, ...]
    poses: tuple[str, ...]
    kinds: tuple[str, ...]

    @classmethod
    def of(cls, classifier: Net, kinds: Net | None = None) -> Names:
        """Return the names from the nets' metadata; without a net for kinds, all are meeples."""
        metadata = classifier.metadata
        return cls(tuple(metadata["colours"]), tuple(metadata["poses"]), list_kinds(kinds) if kinds else ("meeple",))
