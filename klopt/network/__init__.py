"""What every client of a server needs: keys that stay out of messages, time, trying again.

Nothing in here knows an LLM, a translator or an HTTP library.
"""
