"""Well-known addresses, so that nobody has to look them up: to add one, add a line."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """`base_url` is a pattern where the person must fill in a part of it; `provider` is a key of PROVIDERS."""

    name: str
    title: str
    provider: str
    base_url: str
    needs_key: bool = True
    is_local: bool = False


COMPATIBLE = "openai_compatible"

PRESETS: tuple[Preset, ...] = (
    Preset("openai", "OpenAI", COMPATIBLE, "https://api.openai.com/v1"),
    Preset("anthropic", "Anthropic", "anthropic", "https://api.anthropic.com"),
    Preset("gemini", "Google Gemini", "gemini", "https://generativelanguage.googleapis.com/v1beta"),
    Preset("openrouter", "OpenRouter", COMPATIBLE, "https://openrouter.ai/api/v1"),
    Preset("groq", "Groq", COMPATIBLE, "https://api.groq.com/openai/v1"),
    Preset("mistral", "Mistral", COMPATIBLE, "https://api.mistral.ai/v1"),
    Preset("deepseek", "DeepSeek", COMPATIBLE, "https://api.deepseek.com"),
    Preset("together", "Together", COMPATIBLE, "https://api.together.xyz/v1"),
    Preset("azure", "Azure OpenAI", COMPATIBLE, "https://RESOURCE.openai.azure.com/openai/v1"),
    Preset("ollama", "Ollama", COMPATIBLE, "http://127.0.0.1:11434/v1", needs_key=False, is_local=True),
    Preset("vllm", "vLLM", COMPATIBLE, "http://127.0.0.1:8000/v1", needs_key=False, is_local=True),
    Preset("llama_cpp", "llama.cpp", COMPATIBLE, "http://127.0.0.1:8080/v1", needs_key=False, is_local=True),
)

LANGUAGES: tuple[str, ...] = tuple(dict.fromkeys(preset.provider for preset in PRESETS))
"""The providers that a person can name, the most spoken first."""
