"""The front door: answers the hot calls itself, and carries all others to Django.

It knows no rule of the game. Parsing, rights, limits, reads and intake are the rooms' behind it, the same that Django's
views call; the door only collects what arrives together.
"""
