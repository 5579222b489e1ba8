"""One pure function for each thing an editor or the command line asks."""
