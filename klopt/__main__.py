"""``python -m klopt`` is ``klopt``."""

from klopt.cli import main

main()
