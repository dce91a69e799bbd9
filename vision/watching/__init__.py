"""Pictures over time: what lay, moved and came to rest, said as observations. Begin at ``watcher``."""
