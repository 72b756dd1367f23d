"""A module map as it may be: canonical names, nothing unknown, no circle (RN-013)."""

import re
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

from contracts.architecture import Module, NewModule
from contracts.text import fold

MAX_NAME_CHARS = 40
NOT_IN_A_NAME = re.compile(r"[^a-z0-9]+")


class Wrong(ValueError):
    """What is wrong with a map, and what to do."""


def canonical(name: str) -> str:
    """`Pagamentos & Caixa` is `pagamentos-caixa`; empty when no letter is left to begin with."""
    hyphened = NOT_IN_A_NAME.sub("-", fold(name)).lstrip("-0123456789")
    return hyphened[:MAX_NAME_CHARS].strip("-")


def mapped(proposed: Sequence[NewModule]) -> tuple[Module, ...]:
    """The modules with canonical names. Raises Wrong."""
    modules = tuple(_module(each) for each in proposed)
    names = [module.name for module in modules]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise Wrong(f"Two modules would be called {', '.join(doubled)}: give each its own name.")
    strange = sorted({name for module in modules for name in module.depends_on} - set(names))
    if strange:
        raise Wrong(
            f"There is no module {', '.join(strange)} to depend on. The map has: {', '.join(names)}. What lies outside "
            "of the product belongs into the C4 diagram, as an external system."
        )
    circle = circle_in(modules)
    if circle:
        raise Wrong(f"Modules depend on each other in a circle: {' → '.join(circle)}. Take one dependency away.")
    return modules


def _module(proposed: NewModule) -> Module:
    name = canonical(proposed.name)
    if not name:
        raise Wrong(f"The module name {proposed.name!r} has no letter to begin with: use letters and digits.")
    needs = tuple(dict.fromkeys(canonical(each) or each for each in proposed.depends_on))
    return Module.model_construct(
        name=name, stack=proposed.stack, responsibility=proposed.responsibility, depends_on=needs
    )


def circle_in(modules: Sequence[Module]) -> tuple[str, ...]:
    """In the order in which they depend on each other, the first one named again at the end; empty: there is none."""
    try:
        TopologicalSorter({module.name: module.depends_on for module in modules}).prepare()
    except CycleError as error:
        return tuple(reversed(error.args[1]))
    return ()
