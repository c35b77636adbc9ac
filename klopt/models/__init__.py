"""What klopt knows of LLMs: a protocol and its client. No technique and no prompt is in here.

`klopt.models.calls.Model` is the protocol. `klopt.models.chat_completions` and
`klopt.models.transcripts` follow it; `klopt.models.replies` asks until a reply can be used;
`klopt.models.in_order` does several things at once. Nothing here is imported by `import klopt`.
"""
