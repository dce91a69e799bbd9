"""The web server of one table: the page, the socket, the records. ``docs/socket.md`` is its contract."""
