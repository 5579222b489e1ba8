"""The run that brings manuals and devices into the index."""
