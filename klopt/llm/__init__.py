"""The optional LLM adapter: an HTTP client, recorded replies, judges and their prompts.

Nothing here is imported by ``import klopt``; the client needs the extra ``llm``.
"""
