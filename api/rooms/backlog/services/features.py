"""Make features, and find them by the code that somebody said."""

from django.db.models import Max

from api.rooms.backlog.models import Epic, Feature
from api.rooms.backlog.services import numbering, refusing
from api.rooms.backlog.services.epics import epic_of
from api.rooms.backlog.services.writing import Writer
from contracts.events import FeatureCreated
from contracts.routes.backlog import FeatureMade
from contracts.text import fold


def create_feature(
    writer: Writer,
    epic_code: str,
    title: str,
    description: str = "",
    criteria: tuple[str, ...] = (),
    scenarios: tuple[str, ...] = (),
) -> FeatureMade:
    """In the caller's transaction. A title is once in its epic."""
    title = refusing.title(title)
    numbering.lock(writer.project_id)
    epic = epic_of(writer.project_id, epic_code)
    same = next((each for each in epic.features.all() if fold(each.title) == fold(title)), None)
    if same is not None:
        raise refusing.invalid(f"{same.code} has this title already: “{same.title}”. Use it.", existing=same.code)
    row = Feature.objects.create(
        project_id=writer.project_id,
        session_id=writer.session_id,
        epic=epic,
        number=(epic.features.aggregate(last=Max("number"))["last"] or 0) + 1,
        title=title,
        description=description.strip(),
        acceptance_criteria=list(criteria),
        test_scenarios=list(scenarios),
    )
    writer.tell(FeatureCreated(feature_id=row.id, code=row.code, title=row.title))
    return FeatureMade(code=row.code, title=row.title)


def feature_of(epic: Epic, code: str) -> Feature:
    """Raises Refusal that names the features of the epic."""
    features = epic.features.select_related("epic").order_by("number")
    found = next((each for each in features if each.code == code), None)
    if found is None:
        raise refusing.unknown(f"feature of {epic.code}", [code], (f"{each.code} ({each.title})" for each in features))
    return found
