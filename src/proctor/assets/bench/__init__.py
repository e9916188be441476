"""The things of the `bench` suite: one file per family, found by the registry."""
