"""The Architect's lines in a rehearsal, in both languages."""

from dataclasses import dataclass

from contracts.vocabulary import Language


@dataclass(frozen=True)
class ArchitectWords:
    """Slots are filled with `format`. Modules from the outside in: name, what it is for."""

    modules: tuple[tuple[str, str], tuple[str, str], tuple[str, str]]
    rationale: str
    people: tuple[str, str]
    mail: tuple[str, str]
    system: str
    adr_title: str
    adr_slug: str
    adr: str
    insight_title: str
    insight: str
    report: str
    nothing_new: str
    answered: str
    summary: str
    approved: str
    denied: str


ENGLISH = ArchitectWords(
    modules=(
        ("pages", "What people see and do, on a phone too."),
        ("rules", "The business rules, each in one place, with its tests."),
        ("records", "What is kept, so that nothing is lost or done twice."),
    ),
    rationale="Small, patched often, and it has all that these three modules need.",
    people=("People", "Use the product."),
    mail=("Mail server", "Delivers what people have to know."),
    system="What the brief describes.",
    adr_title="The business rules know no page and no table",
    adr_slug="rules-know-no-page",
    adr=(
        "## Context\n\nThe rules change most often, and must be tested without a browser or a database.\n\n"
        "## Decision\n\nThe module `rules` depends on neither `pages` nor a framework; pages call it.\n\n"
        "## Alternatives\n\nRules inside the pages: quicker to begin with, and twice the work with the second page.\n\n"
        "## Consequences\n\nA little more code to carry values across; each rule has one test that names it."
    ),
    insight_title="What happens when two rules meet",
    insight=(
        "Several rules may hold at the same moment, and none says which goes first. As long as nobody decides, the "
        "stricter one holds."
    ),
    report=(
        "I decided on three modules ({modules}), placed {placed}, chose {image}, and drew the system. A decision "
        "record waits for your approval. Confirm the architecture when you are content with it."
    ),
    nothing_new="The architecture stands as it is, and every story has its place. Say what you would change.",
    answered="You said: “{quote}”. The modules stand as they are; deny a decision with a reason, and I take it up.",
    summary=(
        "The product has three modules: {modules}. Pages call rules, rules call records, and nothing leads back. The "
        "decision records say why. To watch out for: the stricter rule holds where two of them meet."
    ),
    approved="“{title}” is approved. It is written into the repository without me.",
    denied="I take back “{title}”: {reason} Everything else stands.",
)
PORTUGUESE = ArchitectWords(
    modules=(
        ("paginas", "O que as pessoas veem e fazem, também no celular."),
        ("regras", "As regras de negócio, cada uma num só lugar, com seus testes."),
        ("registros", "O que fica guardado, para que nada se perca nem se faça duas vezes."),
    ),
    rationale="Pequena, corrigida com frequência, e tem tudo de que estes três módulos precisam.",
    people=("Pessoas", "Usam o produto."),
    mail=("Servidor de e-mail", "Entrega o que as pessoas precisam saber."),
    system="O que o brief descreve.",
    adr_title="As regras de negócio não conhecem página nem tabela",
    adr_slug="regras-sem-pagina",
    adr=(
        "## Contexto\n\nAs regras são o que mais muda, e precisam de testes sem navegador nem banco de dados.\n\n"
        "## Decisão\n\nO módulo `regras` não depende de `paginas` nem de framework; as páginas o chamam.\n\n"
        "## Alternativas\n\nRegras nas páginas: mais rápido no começo, e o dobro do trabalho na segunda página.\n\n"
        "## Consequências\n\nUm pouco mais de código para levar valores; cada regra tem um teste que a nomeia."
    ),
    insight_title="Quando duas regras se encontram",
    insight=(
        "Várias regras podem valer no mesmo momento, e nenhuma diz qual vem primeiro. Enquanto ninguém decidir, vale a "
        "mais rigorosa."
    ),
    report=(
        "Decidi por três módulos ({modules}), dei lugar a {placed}, escolhi {image} e desenhei o sistema. Um registro "
        "de decisão espera a sua aprovação. Confirme a arquitetura quando ela estiver do seu agrado."
    ),
    nothing_new="A arquitetura está como está, e toda história tem seu lugar. Diga o que você mudaria.",
    answered="Você disse: “{quote}”. Os módulos ficam como estão; negue uma decisão com um motivo, e eu a revejo.",
    summary=(
        "São três módulos: {modules}. As páginas chamam as regras, as regras chamam os registros, e nada volta."
        " Os registros de decisão dizem por quê. Cuidado: onde duas regras se encontram, vale a mais rigorosa."
    ),
    approved="“{title}” está aprovada. Ela entra no repositório sem mim.",
    denied="Retiro “{title}”: {reason} Todo o resto fica.",
)
OF_LANGUAGE = {Language.ENGLISH: ENGLISH, Language.PORTUGUESE: PORTUGUESE}
