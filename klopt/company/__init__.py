"""A company's folder: its profile, product names, suggestions and ratings.

::

    acme/
      company.toml       name, help pages and chat log
      profile.toml       settings that differ from the profile it extends
      nl/                lexicons of one language, such as product_names.toml
      found.txt          ids of names that `init` added; names deleted by hand stay deleted
      suggestions.toml   suggestions, open and decided
      rated.jsonl        answers that people rated
      accepted.jsonl     the accepted run that `check` compares with
"""

from klopt._internal.imports import needs

with needs("company", "the commands of klopt company need tomlkit"):
    import tomlkit  # noqa: F401 - used by most modules of this package
