"""What pieces may be called: the names that the odds of a piece's colours, poses and kinds stand for."""

from __future__ import annotations

from dataclasses import dataclass

from vision.pieces.kind_classifier import list_kinds
from vision.runtime.onnx import Net


@dataclass(frozen=True, slots=True)
class Names:
    """What the odds of pieces' names stand for."""

    colours: tuple[str, ...]
    poses: tuple[str, ...]
    kinds: tuple[str, ...]

    @classmethod
    def of(cls, classifier: Net, kinds: Net | None = None) -> Names:
        """As the nets have them; without a net for kinds all are meeples."""
        metadata = classifier.metadata
        return cls(tuple(metadata["colours"]), tuple(metadata["poses"]), list_kinds(kinds) if kinds else ("meeple",))
