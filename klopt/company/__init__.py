"""A company's own folder: its profile, lexicons and names, what is suggested, what is rated.

::

    acme/
      company.toml       where its help pages and its chat log are
      profile.toml       what differs from the profile that it extends
      nl/                lexicons of a language, one file each, named by their id
      found.txt          what was put in by `init`: who takes it out does not find it back
      suggestions.toml   entries that somebody has still to look at, or has looked at
      rated.jsonl        answers that people rated
      accepted.jsonl     the last run that was found good, to hold the next one against
"""

from klopt.extras import needs

with needs("company", "a company's folder needs tomlkit"):
    import tomlkit  # noqa: F401 - in most of this room
