"""A virtual table: games played by the engine's bots and filmed, with their truth beside them.

Lengths on the table are millimetres: x to the right and y away from the viewer who looks from above, z up. Angles are
radians, counter-clockwise as seen from above. No card's picture is ever flipped.
"""
