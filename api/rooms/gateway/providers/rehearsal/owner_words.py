"""The Product Owner's lines in a rehearsal, in both languages."""

from dataclasses import dataclass

from contracts.vocabulary import Language


@dataclass(frozen=True)
class OwnerWords:
    """Slots are filled with `format`."""

    epics: tuple[tuple[str, str], tuple[str, str]]
    description: str
    requirement: str
    criteria: tuple[str, str]
    scenarios: tuple[str, str]
    ready: str
    done: str
    tasks: tuple[tuple[str, str], tuple[str, str]]
    report: str
    handed_over: str
    nothing_new: str
    no_rules: str
    taken_in: str
    answered: str
    could_not: str


ENGLISH = OwnerWords(
    epics=(
        ("What everybody sees first", "The part of the product that people meet on the first day."),
        ("What keeps it fair", "The rules that matter once many people use it."),
    ),
    description="As somebody whom the rule “{title}” concerns, I want it to hold by itself, so that nobody has to ask.",
    requirement="{description}",
    criteria=(
        "Given the situation that the rule speaks of, when it arises, then: {title}.",
        "Given that it was not possible, when the person looks, then they see why and what to do.",
    ),
    scenarios=("Try it the ordinary way, once.", "Try it twice at the same time; only one of the two may count."),
    ready="The business rule is agreed on with the person.",
    done="Every acceptance criterion has a test that passes.",
    tasks=(
        ("Make “{title}” hold", "The behaviour of {code}, with its tests."),
        ("Show “{title}” to people", "What people see of {code}: that it worked, or why it did not."),
    ),
    report="I read the brief and made the backlog from it: {stories} for the rules that had none ({codes}). {waiting}",
    handed_over="I have offered the work to the Architect.",
    nothing_new="Every business rule has a story already, so I added nothing. Tell me what you would change.",
    no_rules="There is no business rule yet that a story could serve. Let the Creative record one first.",
    taken_in="I took your reason into {code}: its acceptance criteria say now “{reason}”. It waits for you again.",
    answered="You said: “{quote}”. Every rule has a story; give one back with a reason, and I will change it.",
    could_not="I could not change {code}: {reason}",
)
PORTUGUESE = OwnerWords(
    epics=(
        ("O que todos veem primeiro", "A parte do produto que as pessoas encontram no primeiro dia."),
        ("O que mantém tudo justo", "As regras que importam quando muita gente usa."),
    ),
    description=(
        "Como alguém a quem a regra “{title}” diz respeito, quero que ela valha sozinha, para ninguém precisar pedir."
    ),
    requirement="{description}",
    criteria=(
        "Dada a situação de que a regra fala, quando ela acontece, então: {title}.",
        "Dado que não foi possível, quando a pessoa olha, então ela vê por quê e o que fazer.",
    ),
    scenarios=(
        "Fazer do jeito comum, uma vez.",
        "Fazer duas vezes ao mesmo tempo; só uma das duas pode valer.",
    ),
    ready="A regra de negócio está combinada com a pessoa.",
    done="Cada critério de aceitação tem um teste que passa.",
    tasks=(
        ("Fazer valer “{title}”", "O comportamento de {code}, com seus testes."),
        ("Mostrar “{title}” às pessoas", "O que se vê de {code}: que deu certo, ou por que não deu."),
    ),
    report=(
        "Li o brief e fiz o backlog a partir dele: {stories} para as regras que não tinham nenhuma ({codes}). {waiting}"
    ),
    handed_over="Ofereci o trabalho ao Arquiteto.",
    nothing_new="Cada regra de negócio já tem uma história, então não acrescentei nada. Diga o que você mudaria.",
    no_rules="Ainda não há regra de negócio a que uma história possa servir. Deixe o Criativo registrar uma primeiro.",
    taken_in=(
        "Levei o seu motivo para {code}: os critérios de aceitação agora dizem “{reason}”. Ela espera você de novo."
    ),
    answered="Você disse: “{quote}”. Cada regra tem uma história; devolva uma com um motivo, e eu a mudo.",
    could_not="Não consegui mudar {code}: {reason}",
)
OF_LANGUAGE = {Language.ENGLISH: ENGLISH, Language.PORTUGUESE: PORTUGUESE}
STORIES = {Language.ENGLISH: ("one story", "{} stories"), Language.PORTUGUESE: ("uma história", "{} histórias")}
WAITING = {
    Language.ENGLISH: "They are complete and wait for your promotion.",
    Language.PORTUGUESE: "Estão completas e esperam a sua promoção.",
}


def stories_in_words(language: Language, number: int) -> str:
    one, many = STORIES[language]
    return one if number == 1 else many.format(number)
