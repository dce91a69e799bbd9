"""The referee. Standard library only, and pure: values in, values out; only ``records`` touches a file.

What any card game needs lies here: ``cards``, ``zones`` (places for cards, some of them known), ``events`` (what was
seen or said, and corrections of it), ``log`` (what counts of it), ``records`` (the file). A game is a folder
beside them; ``shithead`` is the first.
"""
