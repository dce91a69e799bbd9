"""Makes the training data, trains the nets, films games, judges."""
