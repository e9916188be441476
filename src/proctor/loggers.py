"""Loggers of runs, for ``on_episode`` of `proctor.evaluate`: TensorBoard, Weights & Biases, MLflow."""

from ._loggers import EpisodeLogger, MlflowLogger, TensorBoardLogger, WandbLogger

__all__ = ["EpisodeLogger", "MlflowLogger", "TensorBoardLogger", "WandbLogger"]
