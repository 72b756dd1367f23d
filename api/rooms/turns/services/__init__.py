"""The door of the room: what people do in a conversation, and what a worker does with a turn."""

from api.rooms.turns.services.answering import answer_questions
from api.rooms.turns.services.claiming import claim, heartbeat, release
from api.rooms.turns.services.closing import close_session, hide_session
from api.rooms.turns.services.messages import cancel_message, send_message
from api.rooms.turns.services.starting import activate, start_agent
from api.rooms.turns.services.stepping import step
from api.rooms.turns.services.stopping import continue_turn, stop

__all__ = [
    "activate",
    "answer_questions",
    "cancel_message",
    "claim",
    "close_session",
    "continue_turn",
    "heartbeat",
    "hide_session",
    "release",
    "send_message",
    "start_agent",
    "step",
    "stop",
]
