"""Many runs of one design with other settings: sweeps over named settings, and tuning for efficiency.

``docs/search.md`` says what a setting is called and what the results are. The way through the modules:
:mod:`levels.search.knobs` (what can be turned), :mod:`levels.search.task` (the pure function that scores),
:mod:`levels.search.crew` (the processes that call it, here or on a cluster), :mod:`levels.search.journal` (what is
known already), :mod:`levels.search.study` (all of these together), and on top :mod:`levels.search.sweep` and
:mod:`levels.search.tune`.
"""
