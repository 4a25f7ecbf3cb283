"""A quiz night played against the HTTP API, as game servers and players' apps would."""
