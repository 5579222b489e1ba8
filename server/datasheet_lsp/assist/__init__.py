"""What the editor asks for, one function for each request, without any editor's protocol."""
