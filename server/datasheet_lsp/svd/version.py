"""The version of what the reader makes of a file. Goes up when the result changes."""

READER_VERSION = 1
