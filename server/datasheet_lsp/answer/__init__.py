"""A question becomes a cited and checked answer. Knows no process: models come as functions."""
