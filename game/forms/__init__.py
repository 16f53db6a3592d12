"""Forms: what is typed, chosen, slid and confirmed, on pygame_gui with a look of our own.

pygame_gui is imported by this house alone, and the house by the screens when they first need it: the first frame does
not wait for it.
"""
