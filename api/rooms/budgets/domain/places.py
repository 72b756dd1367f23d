"""Where money is spent: a session in a project in a workspace; the deepest one named is the node."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class NodeKind(StrEnum):
    WORKSPACE = "workspace"
    PROJECT = "project"
    SESSION = "session"


@dataclass(frozen=True)
class NodeSpec:
    """A node before it has a row."""

    id: UUID
    kind: NodeKind
    parent_id: UUID | None


@dataclass(frozen=True)
class Place:
    """A workspace, a project of it, or a session of that."""

    workspace_id: UUID
    project_id: UUID | None = None
    session_id: UUID | None = None

    def __post_init__(self) -> None:
        if self.session_id is not None and self.project_id is None:
            raise ValueError("a session is spent in a project")

    def nodes(self) -> tuple[NodeSpec, ...]:
        """Leaf first: the order in which they are locked."""
        found = [NodeSpec(self.workspace_id, NodeKind.WORKSPACE, None)]
        if self.project_id is not None:
            found.append(NodeSpec(self.project_id, NodeKind.PROJECT, self.workspace_id))
        if self.session_id is not None:
            found.append(NodeSpec(self.session_id, NodeKind.SESSION, self.project_id))
        return tuple(reversed(found))

    @property
    def leaf(self) -> NodeSpec:
        return self.nodes()[0]
