import asyncio
from pathlib import Path

from fastapi.testclient import TestClient

Path("config.yaml").write_text("""
model_list:
  - model_name: bot
    litellm_params: {model: openai/any, api_key: none, mock_response: Click **Turbo**.}
guardrails:
  - guardrail_name: klopt
    litellm_params:
      guardrail: klopt.integrations.litellm.KloptGuardrail
      mode: post_call
      default_on: true
      scorer: default
""")

from litellm.proxy.proxy_server import app, initialize  # noqa: E402 - `litellm --config config.yaml`

asyncio.run(initialize(config="config.yaml"))
page = {"role": "system", "content": "Wifi switches off with **Flight mode**."}
question = {"role": "user", "content": "How do I switch off wifi?"}
reply = TestClient(app).post(
    "/chat/completions", json={"model": "bot", "messages": [page, question]}
)
print(reply.status_code, reply.json()["error"]["message"])
