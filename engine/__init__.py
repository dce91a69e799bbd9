"""The referee: any card game's cards, zones and records, and Shithead itself. Standard library only."""
