"""The words that people look for on the pages, in both languages."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Words:
    sign_in: str
    begin_project: str
    open_session: str
    stop: str
    go_on: str
    cancel: str
    ready: str
    accept: str
    reject: str
    reject_fold: str
    took_over: str
    offered_on: str
    joined: str
    queued: str
    stopped_here: str
    answering: str
    answered: str
    idea: str
    rules: str
    reason: str


WORDS = {
    "en": Words(
        sign_in="Sign in",
        begin_project="Begin project",
        open_session="Open session",
        stop="Stop",
        go_on="Continue",
        cancel="Cancel",
        ready="I'm ready to produce",
        accept="Accept handoff",
        reject="Reject handoff",
        reject_fold="Reject with a reason",
        took_over="Product Owner joined the conversation",
        offered_on="I have offered the work to the Architect.",
        joined="Creative joined the conversation",
        queued="Queued",
        stopped_here="Stopped here",
        answering="Creative is answering",
        answered="Creative answered",
        idea="Neighbours lend each other the books that stand at home, and everybody knows where a book is.",
        rules="A person must return a book within 21 days. A person may borrow at most three books at the same time.",
        reason="The brief does not say what happens when a book is lost.",
    ),
    "pt-br": Words(
        sign_in="Entrar",
        begin_project="Começar projeto",
        open_session="Abrir sessão",
        stop="Parar",
        go_on="Continuar",
        cancel="Cancelar",
        ready="Estou pronto para produzir",
        accept="Aceitar a passagem",
        reject="Recusar a passagem",
        reject_fold="Recusar e dizer por quê",
        took_over="Product Owner entrou na conversa",
        offered_on="Ofereci o trabalho ao Arquiteto.",
        joined="Criativo entrou na conversa",
        queued="Na fila",
        stopped_here="Parado aqui",
        answering="Criativo está respondendo",
        answered="Criativo respondeu",
        idea="Vizinhos emprestam uns aos outros os livros que têm em casa, e todo mundo sabe onde cada livro está.",
        rules="Uma pessoa deve devolver o livro em 21 dias. Cada pessoa pode ter no máximo três livros.",
        reason="O brief não diz o que acontece quando um livro se perde.",
    ),
}
