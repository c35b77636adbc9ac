"""How the small encoder of klopt is made: pieces and layers of a larger one, taught further."""
