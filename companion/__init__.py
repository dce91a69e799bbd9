"""One game at one table on every phone: the command, the session, the server and its page."""
