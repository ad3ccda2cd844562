"""What all commands share: arguments with help in the person's language, and completion for shells."""
