"""The HTTP service: a Starlette application under uvicorn, in several worker processes.

Each worker loads the scorer, opens the index and scores in its own event loop; uvicorn's
supervisor replaces workers that died or hang. See ``docs/how-to/service.md``.
"""
