"""The rehearsal's lines, in both languages."""

from dataclasses import dataclass

from contracts.vocabulary import Language


@dataclass(frozen=True)
class Question:
    """One question of the form; without options it is a free text."""

    id: str
    label: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Phrases:
    """Slots are filled with `format`."""

    opening: str
    small_talk: str
    follow_ups: tuple[str, ...]
    recorded_one: str
    recorded_many: str
    exists: str
    gave_up: str
    unclear: str
    maturity_low: str
    maturity_ready: str
    behaviour: str
    form: tuple[Question, ...]
    summary_head: str
    summary_rules: str
    summary_out: str
    summary_open: str
    returned: str
    assistant: str
    digest: str
    mended: str


ENGLISH = Phrases(
    opening=(
        "“{quote}” — good, there is something real in that. Before it becomes rules, let me push on it a little.\n\n"
        "Who is the person that feels this most, and what do they do today instead? And what would have to happen for "
        "them to say, after a week, that it was worth it?"
    ),
    small_talk="I am listening. Tell me about the idea: what goes wrong today, and for whom?",
    follow_ups=(
        "What happens when it goes wrong: somebody is late, changes their mind, or does it twice?",
        "Who decides when two people want different things here, and how does the other one find out?",
        "How often does this happen in a bad week, and what is the most it could ever be?",
        "What must never happen, even by accident?",
        "Who else sees this, and what should stay hidden from them?",
        "What does the person see at the moment it worked? And when it did not?",
        "What would you leave out of the first version without regret?",
        "How does it end: who closes it, and what remains afterwards?",
    ),
    recorded_one="I recorded this as a business rule: **{titles}**.",
    recorded_many="I recorded these as business rules: {titles}.",
    exists="“{title}” is a rule of this project already, so I left it as it stands instead of writing it twice.",
    gave_up="I could not record that as a rule: {reason} Say it once more in one sentence, and I will try again.",
    unclear="I would rather not make a rule of that yet; it is not clear to me what somebody would see happen.",
    maturity_low="The idea has a shape now ({count}), and is still missing its hard cases.",
    maturity_ready=(
        "With {count} the idea looks mature enough to me to hand on. Whether it is ready is your decision, with the "
        "button; if something nags at you, let us take that first."
    ),
    behaviour=(
        "As agreed in the conversation: “{sentence}”. Whoever is affected can see that it happened, and is told "
        "plainly when it could not."
    ),
    form=(
        Question("who", "Who uses it most?", ("The people it is for", "Staff who serve them", "Whoever organises it")),
        Question(
            "matters", "What matters most in the first version?", ("That it is quick", "That nothing is lost", "Trust")
        ),
        Question("wrong", "What is the worst thing that could go wrong, and what should happen then?"),
    ),
    summary_head="## What it is\n\n{idea}\n\n## In the person’s own words\n\n{words}",
    summary_rules="## Business rules\n\n{rules}",
    summary_out="## Out of scope\n\nWhatever the rules above do not name, and every choice of technology.",
    summary_open="## Still open\n\n{open}",
    returned="The brief came back to us. Which of the rules should we sharpen first, or is one missing?",
    assistant=(
        "This is a rehearsal: no model is connected to this workspace yet, so I cannot really answer. You asked: "
        "“{quote}”. Once a model is bound to the workspace, the project or this session, the same conversation goes on "
        "with it. To explore an idea, open a creative session: there the Creative plays its part even in rehearsal."
    ),
    digest="What was said so far:\n{lines}",
    mended="Here is a proper answer: I have read your last message, “{quote}”. What should we look at first?",
)

PORTUGUESE = Phrases(
    opening=(
        "“{quote}” — bom, tem algo de verdade aí. Antes que vire regra, deixe eu provocar um pouco.\n\n"
        "Quem sente isso com mais força, e o que essa pessoa faz hoje no lugar? E o que precisaria acontecer para ela "
        "dizer, depois de uma semana, que valeu a pena?"
    ),
    small_talk="Estou ouvindo. Me conte a ideia: o que dá errado hoje, e para quem?",
    follow_ups=(
        "O que acontece quando dá errado: alguém se atrasa, muda de ideia ou faz duas vezes?",
        "Quem decide quando duas pessoas querem coisas diferentes, e como a outra fica sabendo?",
        "Com que frequência isso acontece numa semana ruim, e qual é o máximo possível?",
        "O que não pode acontecer nunca, nem por acidente?",
        "Quem mais vê isso, e o que deve ficar escondido dessas pessoas?",
        "O que a pessoa vê no momento em que deu certo? E quando não deu?",
        "O que você deixaria fora da primeira versão sem arrependimento?",
        "Como isso termina: quem encerra, e o que fica depois?",
    ),
    recorded_one="Registrei isto como regra de negócio: **{titles}**.",
    recorded_many="Registrei estas regras de negócio: {titles}.",
    exists="“{title}” já é uma regra deste projeto, então deixei como está em vez de escrever duas vezes.",
    gave_up="Não consegui registrar isso como regra: {reason} Diga de novo em uma frase, e eu tento outra vez.",
    unclear="Prefiro não transformar isso em regra ainda; não está claro para mim o que alguém veria acontecer.",
    maturity_low="A ideia já tem forma ({count}), e ainda faltam os casos difíceis.",
    maturity_ready=(
        "Com {count}, a ideia me parece madura o bastante para seguir adiante. Se está pronta, quem decide é você, com "
        "o botão; se algo ainda incomoda, vamos a isso primeiro."
    ),
    behaviour=(
        "Como combinado na conversa: “{sentence}”. Quem é afetado vê que aconteceu, e é avisado com clareza quando "
        "não foi possível."
    ),
    form=(
        Question("who", "Quem mais vai usar?", ("As pessoas atendidas", "A equipe que atende", "Quem organiza")),
        Question(
            "matters",
            "O que mais importa na primeira versão?",
            ("Que seja rápido", "Que nada se perca", "Confiança"),
        ),
        Question("wrong", "Qual é a pior coisa que pode dar errado, e o que deve acontecer nesse caso?"),
    ),
    summary_head="## O que é\n\n{idea}\n\n## Nas palavras da pessoa\n\n{words}",
    summary_rules="## Regras de negócio\n\n{rules}",
    summary_out="## Fora do escopo\n\nO que as regras acima não mencionam, e toda escolha de tecnologia.",
    summary_open="## Em aberto\n\n{open}",
    returned="O brief voltou para nós. Qual das regras devemos afiar primeiro, ou falta alguma?",
    assistant=(
        "Isto é um ensaio: ainda não há um modelo ligado a este espaço de trabalho, então não posso responder de "
        "verdade. Você perguntou: “{quote}”. Quando um modelo for ligado ao espaço, ao projeto ou a esta sessão, a "
        "mesma conversa continua com ele. Para explorar uma ideia, abra uma sessão criativa: lá o Criativo faz o papel "
        "dele mesmo no ensaio."
    ),
    digest="O que foi dito até aqui:\n{lines}",
    mended="Agora sim, uma resposta: li a sua última mensagem, “{quote}”. Por onde começamos?",
)

OF_LANGUAGE = {Language.ENGLISH: ENGLISH, Language.PORTUGUESE: PORTUGUESE}
COUNT = {Language.ENGLISH: ("one rule", "{} rules"), Language.PORTUGUESE: ("uma regra", "{} regras")}


def count_of(language: Language, number: int) -> str:
    one, many = COUNT[language]
    return one if number == 1 else many.format(number)
