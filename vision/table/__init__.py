"""The table in the picture: its plane, what lies where, the bare cloth, and whether the view will do."""
