"""One module for each request: a thin handler around a function of ``assist``."""
