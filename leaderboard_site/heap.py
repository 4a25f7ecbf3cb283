"""Python's garbage collector in a process that answers requests.

Django, Celery and all that they import are some 100,000 objects, which live as long as the process: a full collection looks at
each of them, for 25 ms in which nobody is answered, and finds nothing. See docs/decisions/0035-what-is-imported-stays.md.
"""

import gc

NEW_OBJECTS = 10_000
"""Collections begin after so many; Python's own 700 are the objects of some twenty requests under way."""


def settle_heap() -> None:
    """Leave what is there now out of all collections. To be called once everything is imported."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
