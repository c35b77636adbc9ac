from __future__ import annotations

import pytest

from klopt.errors import ConfigurationError
from klopt.models.chat_completions import ChatCompletions
from klopt.models.servers import server, servers

KNOWN = (
    "Known are anthropic, cohere, deepseek, gemini, groq, mistral, ollama, openai, openrouter, "
    "together, xai; for any other give its address as the base URL."
)


@pytest.mark.parametrize("name", servers())
def test_each_can_be_asked(name):
    one = server(name)
    assert one.base_url.startswith("https://") or one.key_variable is None
    with ChatCompletions("tiny", one.base_url) as model:
        assert repr(model) == f"ChatCompletions('tiny', '{one.base_url}/chat/completions')"


def test_a_provider_that_is_not_known():
    with pytest.raises(ConfigurationError) as caught:
        server("azure")
    assert str(caught.value) == f"there is no provider 'azure'. {KNOWN}"
