"""From a text with markup to plain text, sentences, components, guides and a parse."""
