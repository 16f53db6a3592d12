"""The corpus is data for tests elsewhere: nothing in it is collected, wrong levels least of all."""

collect_ignore_glob = ["*.yaml"]
