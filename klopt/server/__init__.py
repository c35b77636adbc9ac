"""klopt as a service: over HTTP, for bots that are not written in Python.

One process speaks HTTP and takes in no more than it can finish; the others, one for each core,
read pages and score. See ``docs/service.md``.
"""
