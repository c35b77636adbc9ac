"""What a company's help pages and chat log say of its words and its style."""
