"""A scripted server that speaks the wire formats of OpenAI, Anthropic and Gemini, with good manners and bad.

In a test: `with ModelServer() as server: server.play(Reply(text="hello"))`, then call `server.url`.
From a shell: `python -m tests.fakes.model_server --port 9000 [--script replies.json]`; without a script, or when it is
over, a small Creative story is played.
"""

from tests.fakes.model_server.replies import Reply, ToolCall
from tests.fakes.model_server.server import ModelServer, Recorded

__all__ = ["ModelServer", "Recorded", "Reply", "ToolCall"]
