"""How the bundled pipelines are trained; not part of the wheel."""
