"""Module maps, image references and diagrams: what people and models write comes out canonical, or is refused."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.rooms.architecture.domain import c4, images, modules
from api.surfaces.web import picture
from contracts.architecture import ActorType, Module, NewModule, SystemActor, SystemContext
from contracts.artifacts import C4Diagram

NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
NAMES = ("a", "b", "c", "d", "e")


def new(name: str, *needs: str) -> NewModule:
    return NewModule(name=name, stack="Python", responsibility="It does it.", depends_on=needs)


@given(st.text(max_size=60))
def test_a_canonical_name_is_one_or_empty_and_stays_what_it_is(name: str) -> None:
    kept = modules.canonical(name)
    assert kept == "" or NAME.fullmatch(kept)
    assert modules.canonical(kept) == kept


@given(st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))))
def test_a_map_has_a_circle_exactly_when_it_is_refused(edges: set[tuple[str, str]]) -> None:
    proposed = [new(name, *(end for start, end in sorted(edges) if start == name)) for name in NAMES]
    reaches = {name: {end for start, end in edges if start == name} for name in NAMES}
    for _ in NAMES:
        for name in NAMES:
            reaches[name] |= {far for near in reaches[name] for far in reaches[near]}
    has_circle = any(name in reaches[name] for name in NAMES)
    if has_circle:
        with pytest.raises(modules.Wrong) as refused:
            modules.mapped(proposed)
        named = str(refused.value).split(": ")[1].split(".")[0].split(" → ")
        assert named[0] == named[-1]
        assert set(pairwise(named)) <= edges
    else:
        assert [module.name for module in modules.mapped(proposed)] == list(NAMES)


@pytest.mark.parametrize(
    "image",
    [
        "python:3.13-slim",
        "ghcr.io/feira/base:1",
        "localhost:5000/a/b:2",
        "a@sha256:" + "0" * 64,
        "x:1@sha256:" + "f" * 64,
    ],
)
def test_an_image_that_names_one_for_good_is_taken(image: str) -> None:
    assert images.wrong_with(image) is None


@given(st.text(max_size=80))
def test_no_text_with_a_shell_in_it_is_an_image(text: str) -> None:
    if images.wrong_with(text) is None:
        assert re.fullmatch(r"[A-Za-z0-9._/:@-]+", text)


@given(st.text(max_size=120), st.text(max_size=80))
def test_words_never_become_mermaid(name: str, note: str) -> None:
    """Each line of the diagram is one of ours, whatever somebody wrote into it."""
    actor = SystemActor.model_construct(name=name, type=ActorType.PERSON, description=note)
    system = SystemContext.model_construct(system_name=name, system_description=note, actors=(actor,))
    module = Module(name="loans", stack="x", responsibility="y")
    for text in (c4.context(system), c4.containers(system, (module,))):
        lines = text.split("\n")
        assert all(line.count('"') in {0, 2, 4, 6} for line in lines)
        assert [line.strip().split("(")[0].split(" ")[0] for line in lines[2:]] == [
            kind for kind in (each.strip().split("(")[0].split(" ")[0] for each in lines[2:]) if kind in KINDS
        ]


KINDS = {"Person", "System", "System_Ext", "System_Boundary", "Container", "Rel", "}"}


def test_a_picture_puts_what_is_needed_below_and_every_box_apart() -> None:
    mapped = modules.mapped([new("web", "loans"), new("loans", "people"), new("people"), *map(new, ("f", "g", "h"))])
    actor = SystemActor(name="Ana", type=ActorType.PERSON)
    drawn = C4Diagram(version=1, map_version=1, system_name="Books", context="", containers="", actors=(actor,))
    found = picture.containers(drawn, mapped)
    at = {box.title: box for box in found.boxes}
    assert at["Ana"].y < at["web"].y < at["loans"].y < at["people"].y
    places = [(box.x, box.y) for box in found.boxes]
    assert len(set(places)) == len(places)
    assert all(box.x >= 0 and box.x + box.width <= found.width for box in found.boxes)
