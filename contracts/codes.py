"""Names that people can say for what stands in a backlog; each is unique in its project and never given twice."""

from typing import Annotated

from pydantic import StringConstraints

RuleCode = Annotated[str, StringConstraints(pattern=r"^R-[1-9][0-9]{0,8}$")]
EpicCode = Annotated[str, StringConstraints(pattern=r"^E[1-9][0-9]{0,8}$")]
FeatureCode = Annotated[str, StringConstraints(pattern=r"^E[1-9][0-9]{0,8}\.F[1-9][0-9]{0,8}$")]
StoryCode = Annotated[str, StringConstraints(pattern=r"^S-[1-9][0-9]{0,8}$")]
TaskCode = Annotated[str, StringConstraints(pattern=r"^T-[1-9][0-9]{0,8}$")]
IterationCode = Annotated[str, StringConstraints(pattern=r"^I-[1-9][0-9]{0,8}$")]
