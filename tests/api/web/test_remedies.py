"""F35: a failure that a person can mend leads to the page where it is mended, and no other does."""

from uuid import UUID

import pytest

from api.surfaces.web.remedies import remedy_of
from contracts.failures import ErrorCode

SESSION, PROJECT, WORKSPACE = (UUID(int=number) for number in (1, 2, 3))
MODEL_PAGE = f"/sessions/{SESSION}/model?agent=creative"
KEYS_PAGE = f"/workspaces/{WORKSPACE}/keys"
PAGES = {
    ErrorCode.MODEL_NOT_FOUND: MODEL_PAGE,
    ErrorCode.MODEL_NOT_ALLOWED: MODEL_PAGE,
    ErrorCode.NO_BINDING: MODEL_PAGE,
    ErrorCode.MODEL_UNPRICED: f"/workspaces/{WORKSPACE}/models",
    ErrorCode.NO_CREDENTIAL: KEYS_PAGE,
    ErrorCode.CREDENTIAL_REJECTED: KEYS_PAGE,
    ErrorCode.CREDENTIAL_UNREADABLE: KEYS_PAGE,
    ErrorCode.BUDGET_EXCEEDED: f"/sessions/{SESSION}/budget",
}


def href(code: ErrorCode, facts: dict[str, str]) -> str | None:
    remedy = remedy_of(code, facts, "creative", (SESSION, PROJECT, WORKSPACE))
    return remedy.href if remedy else None


@pytest.mark.parametrize("code", ErrorCode)
def test_each_code_leads_to_its_page(code: ErrorCode) -> None:
    assert href(code, {}) == PAGES.get(code)


@pytest.mark.parametrize(
    ("node", "page"),
    [
        ("session", f"/sessions/{SESSION}/budget"),
        ("project", f"/projects/{PROJECT}/budget"),
        ("workspace", f"/workspaces/{WORKSPACE}/budget"),
    ],
)
def test_a_budget_that_is_used_up_leads_to_the_node_that_refused(node: str, page: str) -> None:
    assert href(ErrorCode.BUDGET_EXCEEDED, {"node": node}) == page
