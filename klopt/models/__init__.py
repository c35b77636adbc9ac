"""What klopt knows of LLMs: a protocol and its client. No technique and no prompt is in here.

`klopt.models.calls.Model` is the protocol, and `klopt.models.calls.ask` asks one until a reply can
be used. `klopt.models.chat_completions` and `klopt.models.transcripts` follow the protocol;
`klopt.models.in_order` does several things at once. Nothing here is imported by `import klopt`.
"""
