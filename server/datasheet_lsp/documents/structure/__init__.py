"""The structure of a document: lines, sections, paragraphs, figures, registers."""
