"""Every code as a sentence that says what to do next, in the reader's language."""

from api.surfaces.web.sentences.failures import FAILURES, ORIGINS
from api.surfaces.web.sentences.problems import PROBLEMS
from api.surfaces.web.sentences.states import BLOCKS, MODEL_FIELDS, MODEL_USES, NOTICES, PROVIDER_TITLES

__all__ = ["BLOCKS", "FAILURES", "MODEL_FIELDS", "MODEL_USES", "NOTICES", "ORIGINS", "PROBLEMS", "PROVIDER_TITLES"]
