"""Shithead (Palace, Shed, Karma): its rules as data, its states, its referee."""
