"""The station: a real, cheap, reproducible SO-101 with cameras and a light box, and a twin of it that needs no robot.

Each part is a sub-package with its own API. Nothing is imported here, so that the arm's driver works without MuJoCo.
"""
