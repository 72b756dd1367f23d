"""An Architect at work, at the doors of the rooms."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from api.rooms.actions import services as actions
from api.rooms.backlog import pendencies
from api.rooms.backlog.services import by_architects
from api.rooms.handoffs import services as handoffs
from contracts.actions import Adr
from contracts.architecture import Image, NewModule, SystemContext
from contracts.artifacts.prototype import Element, Journey, NewPrototype, Persona, Screen
from contracts.base import Message
from contracts.routes.architecture import (
    ActionWaits,
    ArchitectureAnswer,
    AssignModules,
    C4Drawn,
    ChooseImage,
    CreateModuleMap,
    DrawC4,
    ImageChosen,
    ModuleMapMade,
    ModulesAssigned,
    ProposeAdr,
)
from contracts.routes.backlog import ReadBacklog
from contracts.routes.effects import Effect
from tests.factories.backlog import Owner, hash_of
from tests.factories.places import Place
from tests.factories.workers import Worker, running

Asked = TypeVar("Asked", bound=Effect)
Answered = TypeVar("Answered", bound=Message)
ADR = Adr(title="One database", slug="one-database", content="## Decision\nOne.", modules=("loans",))


def module(name: str, *needs: str) -> NewModule:
    return NewModule(name=name, stack="Python", responsibility=f"All about {name}.", depends_on=needs)


LOANS = (module("Loans", "people"), module("People"))
PROTOTYPE = NewPrototype(
    summary="Lend and borrow.",
    personas=(Persona(name="Ana", goal="Borrow a book"),),
    journeys=(Journey(title="Borrow", steps=("Search", "Ask")),),
    screens=(
        Screen(
            name="Search", description="Books nearby.", elements=(Element(kind="button", label="Ask", goes_to="Ask"),)
        ),
        Screen(name="Ask", description="A question to a neighbour."),
    ),
)


@dataclass
class Architect:
    """Each act is a step of its own, as the runtime makes it."""

    worker: Worker

    def _do(
        self, act: Callable[[UUID, Asked, str], Answered], kind: type[Asked], step: int | None = None, **fields: Any
    ) -> Answered:
        if step is None:
            self.worker.save(self.worker.next_step())
        fence: dict[str, Any] = {
            "epoch": self.worker.epoch,
            "turn_id": self.worker.turn_id,
            "step": step or self.worker.step,
        }
        asked = kind(**fence, **fields)
        return act(self.worker.instance_id, asked, hash_of(asked))

    def map(self, *modules: NewModule, replaces: int | None = None, step: int | None = None) -> ModuleMapMade:
        return self._do(by_architects.module_map, CreateModuleMap, step, modules=modules or LOANS, replaces=replaces)

    def assign(self, story: str, *modules: str) -> ModulesAssigned:
        return self._do(by_architects.story_modules, AssignModules, story=story, modules=modules)

    def image(self, image: str = "python:3.13-slim", **fields: Any) -> ImageChosen:
        chosen = Image(image=image, rationale="Small, and enough for us.", **fields)
        return self._do(by_architects.image, ChooseImage, image=chosen)

    def c4(self, name: str = "Book exchange", **fields: Any) -> C4Drawn:
        return self._do(by_architects.c4, DrawC4, system=SystemContext(system_name=name, **fields))

    def adr(self, adr: Adr = ADR, step: int | None = None) -> ActionWaits:
        return self._do(actions.propose_adr, ProposeAdr, step, adr=adr)

    def read(self) -> ArchitectureAnswer:
        asked = ReadBacklog(epoch=self.worker.epoch, turn_id=self.worker.turn_id)
        return pendencies.for_agent(self.worker.instance_id, asked)


def architect(place: Place, owner: Owner) -> Architect:
    """The Product Owner's handoff is accepted, and the Architect is in the turn that this began."""
    handoff_id = owner.worker.offer("architect").handoff_id
    owner.worker.answer()
    owner.worker.release()
    handoffs.accept(handoff_id, place.user_id)
    return Architect(running(place.session_id, "architect"))
