"""One picture: index corners found and named, joined into cards, with how sure each is. Begin at ``reader``."""
