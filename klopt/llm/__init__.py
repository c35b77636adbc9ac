"""What klopt knows of LLMs: a protocol and its clients. No technique and no prompt is in here.

`klopt.llm.calls.Model` is the protocol. `klopt.llm.chat_completions`, `klopt.llm.litellm` and
`klopt.llm.transcripts` follow it; `klopt.llm.asking` asks until a reply can be used;
`klopt.llm.in_order` does several things at once. Nothing here is imported by `import klopt`.
"""
