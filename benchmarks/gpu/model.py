"""A model of a VLA's size and shape with random weights: what it computes is worthless, what it costs is not.

Two pictures of 224 x 224 become 256 tokens each, the instruction 32 more; a decoder of ``layers`` x ``width`` reads
them once, and a small expert refines ten actions in ten steps, as flow-matching policies do. Weights are bf16.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from proctor.core import EpisodeSpec, Observation, PolicySpec

CAMERAS = ("agentview", "wrist")
SIZE, PATCH, WORDS, CHUNK, REFINEMENTS = 224, 14, 32, 10, 10
# Random actions of full size throw the arm about; these wander.
REACH = 0.15


class Block(nn.Module):
    """Attention and a gated feed-forward, each behind a norm."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.RMSNorm(width), nn.RMSNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.up, self.down = nn.Linear(width, 8 * width, bias=False), nn.Linear(4 * width, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        q, k, v = self.qkv(self.before(x)).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, length, width)
        x = x + self.out(seen)
        gate, value = self.up(self.between(x)).chunk(2, dim=-1)
        return x + self.down(functional.silu(gate) * value)


class Network(nn.Module):
    """Pictures, words and state in; actions in [-1, 1] out."""

    def __init__(self, layers: int, width: int, expert_layers: int, expert_width: int) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, width, PATCH, PATCH)
        self.words = nn.Embedding(256, width)
        self.decoder = nn.ModuleList(Block(width, width // 128) for _ in range(layers))
        self.bridge = nn.Linear(width, expert_width)
        self.state, self.noise = nn.Linear(8, expert_width), nn.Linear(7, expert_width)
        self.expert = nn.ModuleList(Block(expert_width, expert_width // 64) for _ in range(expert_layers))
        self.actions = nn.Linear(expert_width, 7)

    def forward(self, pictures: Tensor, words: Tensor, state: Tensor) -> Tensor:
        batch = len(words)
        patches = self.patches(pictures).flatten(2).transpose(1, 2).reshape(batch, -1, self.words.embedding_dim)
        x = torch.cat([patches, self.words(words)], dim=1)
        for block in self.decoder:
            x = block(x)
        context = self.bridge(x[:, -WORDS:])
        about = self.state(state)[:, None]
        actions = torch.zeros(batch, CHUNK, 7, dtype=x.dtype, device=x.device)
        for _ in range(REFINEMENTS):
            y = torch.cat([context, about, self.noise(actions)], dim=1)
            for block in self.expert:
                y = block(y)
            actions = actions + self.actions(y[:, -CHUNK:]) / REFINEMENTS
        return torch.tanh(actions)


class RandomVla:
    """The network as a policy that answers many sessions at once."""

    def __init__(self, layers: int = 40, width: int = 2048, expert_layers: int = 12, expert_width: int = 1024) -> None:
        torch.manual_seed(0)
        with torch.device("cuda"):
            self.network = Network(layers, width, expert_layers, expert_width).to(torch.bfloat16).eval()
        self.parameters = sum(p.numel() for p in self.network.parameters())
        self._texts: dict[str, str] = {}
        for batch in (1, 2, 4, 8, 16):
            self.forward(np.zeros((2 * batch, SIZE, SIZE, 3), np.uint8), [""] * batch, np.zeros((batch, 8)))

    def spec(self) -> PolicySpec:
        name = f"random-vla-{self.parameters / 1e9:.1f}b"
        return PolicySpec(name, cameras=CAMERAS, image_size=SIZE, chunk=CHUNK, fingerprint=f"{name}-seed-0")

    def begin(self, session: str, instruction: str, episode: EpisodeSpec) -> None:
        self._texts[session] = instruction

    def act_batch(self, sessions: Sequence[str], observations: Sequence[Observation]) -> list[Any]:
        pictures = np.stack([seen.images[camera] for seen in observations for camera in CAMERAS])
        states = np.stack([seen.state for seen in observations])
        return list(self.forward(pictures, [self._texts[session] for session in sessions], states))

    def end(self, session: str) -> None:
        self._texts.pop(session, None)

    @torch.inference_mode()
    def forward(self, pictures: Any, texts: Sequence[str], states: Any) -> Any:
        """Return actions [B, 10, 7] in float32, on the host."""
        letters = [text.encode()[:WORDS].ljust(WORDS) for text in texts]
        words = torch.from_numpy(np.frombuffer(b"".join(letters), np.uint8).reshape(-1, WORDS).astype(np.int64)).cuda()
        seen = (
            torch.from_numpy(np.ascontiguousarray(pictures)).cuda().permute(0, 3, 1, 2).to(torch.bfloat16) / 127.5 - 1
        )
        state = torch.from_numpy(np.asarray(states, np.float32)).cuda().to(torch.bfloat16)
        return (REACH * self.network(seen, words, state)).float().cpu().numpy()
