"""What every agent's prompt ends with: the place it works in, and the language to answer in."""

from contracts.routes.instances import AgentContext
from contracts.vocabulary import Language

LANGUAGES = {Language.ENGLISH: "English", Language.PORTUGUESE: "Brazilian Portuguese"}


def in_place(prompt: str, context: AgentContext) -> str:
    """The prompt for one project."""
    language = LANGUAGES[context.language]
    return (
        f"{prompt.strip()}\n\nThe project is called {context.project_name!r}. Answer in {language}, and write "
        f"everything that people will read in {language}, titles and descriptions of artifacts included."
    )
