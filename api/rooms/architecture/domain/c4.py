"""C4 at the levels Context and Container as Mermaid text; what somebody wrote cannot become markup (RN-149)."""

from collections.abc import Iterator, Sequence

from contracts.architecture import ActorType, Module, SystemActor, SystemContext

SYSTEM = "system"
ESCAPES = str.maketrans({'"': "”", "#": "＃", ";": ",", "<": "‹", ">": "›", "`": "'", "\\": "/", "{": "(", "}": ")"})  # noqa: RUF001 - look-alikes are the point: they mean nothing to Mermaid
MACROS = {ActorType.PERSON: "Person", ActorType.EXTERNAL_SYSTEM: "System_Ext"}


def text(words: str) -> str:
    """On one line, with nothing in it that Mermaid reads."""
    return " ".join(words.split()).translate(ESCAPES)


def context(system: SystemContext) -> str:
    """The system as one box, and who stands around it."""
    actors = list(_named(system.actors))
    lines = ["C4Context", f"  title {text(system.system_name)}"]
    lines += [_actor(name, actor) for name, actor in actors]
    lines.append(f'  System({SYSTEM}, "{text(system.system_name)}", "{text(system.system_description)}")')
    lines += [_relation(name, actor, SYSTEM) for name, actor in actors]
    return "\n".join(lines)


def containers(system: SystemContext, modules: Sequence[Module]) -> str:
    """The modules of the map inside the system; people and other systems meet those that nothing depends on."""
    actors = list(_named(system.actors))
    lines = ["C4Container", f"  title {text(system.system_name)}"]
    lines += [_actor(name, actor) for name, actor in actors]
    lines.append(f'  System_Boundary({SYSTEM}, "{text(system.system_name)}") {{')
    lines += [
        f'    Container({identifier(module.name)}, "{module.name}", "{text(module.stack)}",'
        f' "{text(module.responsibility)}")'
        for module in modules
    ]
    lines.append("  }")
    lines += [
        f'  Rel({identifier(module.name)}, {identifier(needed)}, "uses")'
        for module in modules
        for needed in module.depends_on
    ]
    doors = entrances(modules)
    lines += [_relation(name, actor, identifier(door)) for name, actor in actors for door in doors]
    return "\n".join(lines)


def entrances(modules: Sequence[Module]) -> tuple[str, ...]:
    """What no other module depends on is where the outside comes in."""
    needed = {name for module in modules for name in module.depends_on}
    return tuple(module.name for module in modules if module.name not in needed)


def identifier(name: str) -> str:
    return "m_" + name.replace("-", "_")


def _named(actors: Sequence[SystemActor]) -> Iterator[tuple[str, SystemActor]]:
    """Numbered, so that two of the same name are two."""
    return ((f"a_{number}", actor) for number, actor in enumerate(actors, 1))


def _actor(name: str, actor: SystemActor) -> str:
    return f'  {MACROS[actor.type]}({name}, "{text(actor.name)}", "{text(actor.description)}")'


def _relation(name: str, actor: SystemActor, other: str) -> str:
    """People use the system; the system uses other systems."""
    pair = (name, other) if actor.type is ActorType.PERSON else (other, name)
    return f'  Rel({pair[0]}, {pair[1]}, "uses")'
