"""Second opinions: asked where klopt is not sure, under a budget, recorded and replayed."""

from klopt.opinions.opinion import Asked, AskedStatement, Opinion, Relation, Said, SaidOfStatement

__all__ = ["Asked", "AskedStatement", "Opinion", "Relation", "Said", "SaidOfStatement"]
