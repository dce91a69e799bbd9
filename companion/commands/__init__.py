"""One module per subcommand of ``pilewatch``."""
