"""Write small random-weight LeRobot checkpoints; run by the LeRobot environment's Python: ``... FOLDER KIND KIND``.

The shapes are those of a LIBERO-trained policy (two cameras, state 8, action 7); the weights are noise, the sizes tiny.
Nothing is downloaded: SmolVLA and X-VLA get a tokenizer that is trained here.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import torch
from lerobot.configs.types import FeatureType, PolicyFeature
from lerobot.policies.factory import get_policy_class, make_policy_config, make_pre_post_processors

IMAGE = 64
CHUNK = 6
ACTIONS = 4
WORDS = ["pick up the apple and place it in the bowl", "put the mug on the plate", "open the top drawer"]


def main() -> None:
    for kind in sys.argv[2:]:
        write(Path(sys.argv[1]) / kind, kind)


def write(folder: Path, kind: str) -> None:
    torch.manual_seed(7)
    options = {"act": act, "ensemble": ensemble, "diffusion": diffusion, "smolvla": smolvla, "xvla": xvla}[kind](folder)
    state, action = (20, 20) if kind == "xvla" else (8, 7)
    config = make_policy_config(
        "act" if kind == "ensemble" else kind,
        device="cpu",
        push_to_hub=False,
        input_features={
            "observation.state": PolicyFeature(FeatureType.STATE, (state,)),
            "observation.images.image": PolicyFeature(FeatureType.VISUAL, (3, IMAGE, IMAGE)),
            "observation.images.wrist_image": PolicyFeature(FeatureType.VISUAL, (3, IMAGE, IMAGE)),
        },
        output_features={"action": PolicyFeature(FeatureType.ACTION, (action,))},
        **options,
    )
    policy = get_policy_class(config.type)(config)
    if kind == "xvla":  # it leaves some of its weights as the memory was
        for parameter in policy.parameters():
            torch.nn.init.normal_(parameter, std=0.1)
    policy.save_pretrained(folder)
    for processor in make_pre_post_processors(config, dataset_stats=statistics(state, action)):
        processor.save_pretrained(folder)


def statistics(state: int, action: int) -> dict[str, dict[str, torch.Tensor]]:
    """Return what a normaliser needs; uneven, so that forgetting to normalise shows. Actions stay within [-1, 1]."""
    image = {"mean": torch.full((3, 1, 1), 0.4), "std": torch.full((3, 1, 1), 0.3)}
    image |= {"min": torch.zeros(3, 1, 1), "max": torch.ones(3, 1, 1)}
    return {
        "observation.state": spread(state, 1.0),
        "action": spread(action, 0.05),
        "observation.images.image": image,
        "observation.images.wrist_image": image,
    }


def spread(size: int, width: float) -> dict[str, torch.Tensor]:
    mean = torch.linspace(-0.2, 0.2, size)
    std = torch.linspace(0.5, 1.0, size) * width
    return {"mean": mean, "std": std, "min": mean - 2 * std, "max": mean + 2 * std}


def act(folder: Path) -> dict[str, Any]:
    sizes = {"dim_model": 64, "n_heads": 4, "dim_feedforward": 64, "n_encoder_layers": 1, "n_vae_encoder_layers": 1}
    return {"pretrained_backbone_weights": None, "chunk_size": CHUNK, "n_action_steps": ACTIONS, **sizes}


def ensemble(folder: Path) -> dict[str, Any]:
    return act(folder) | {"n_action_steps": 1, "temporal_ensemble_coeff": 0.01}


def diffusion(folder: Path) -> dict[str, Any]:
    return {
        "down_dims": (16, 32),
        "diffusion_step_embed_dim": 16,
        "num_train_timesteps": 5,
        "horizon": 8,
        "n_action_steps": ACTIONS,
        "crop_shape": None,
        "spatial_softmax_num_keypoints": 4,
    }


def smolvla(folder: Path) -> dict[str, Any]:
    from transformers import SmolVLMConfig, SmolVLMImageProcessor, SmolVLMProcessor, SmolVLMVideoProcessor

    image = "<image>"
    special = {
        "image_token": image,
        "fake_image_token": "<fake_token_around_image>",
        "global_image_token": "<global-img>",
    }
    tokenizer = train_tokenizer({**special, "end_of_utterance_token": "<end_of_utterance>"})
    text = {"model_type": "llama", "vocab_size": len(tokenizer), "hidden_size": 32, "intermediate_size": 64}
    text |= {"num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 16}
    text |= {"pad_token_id": tokenizer.pad_token_id}
    vision = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}
    vision |= {"image_size": IMAGE, "patch_size": 16}
    vlm = folder / "vlm"
    SmolVLMConfig(
        text_config=text, vision_config=vision, scale_factor=2, image_token_id=tokenizer.convert_tokens_to_ids(image)
    ).save_pretrained(vlm)
    size = {"longest_edge": IMAGE}
    images, videos = SmolVLMImageProcessor(do_image_splitting=False, size=size), SmolVLMVideoProcessor(size=size)
    SmolVLMProcessor(images, tokenizer, videos, image_seq_len=4).save_pretrained(vlm)
    return {
        "vlm_model_name": str(vlm),
        "load_vlm_weights": False,
        "chunk_size": CHUNK,
        "n_action_steps": ACTIONS,
        "num_vlm_layers": 2,
        "num_steps": 3,
        "resize_imgs_with_padding": (IMAGE, IMAGE),
        "max_state_dim": 8,
        "max_action_dim": 8,
    }


def xvla(folder: Path) -> dict[str, Any]:
    tokenizer = train_tokenizer({})
    tokenizer.save_pretrained(folder / "tokenizer")
    vision = {"dim_embed": [8, 16, 16, 32], "num_heads": [1, 1, 1, 2], "num_groups": [1, 1, 1, 2]}
    vision |= {"depths": [1, 1, 1, 1], "window_size": 4, "projection_dim": 32, "drop_path_rate": 0.0}
    vision |= {"image_pos_embed": {"type": "learned_abs_2d", "max_pos_embeddings": 50}}
    vision |= {"image_feature_source": ["spatial_avg_pool", "temporal_avg_pool"]}
    text = {"vocab_size": len(tokenizer), "d_model": 32, "encoder_layers": 1, "decoder_layers": 1}
    text |= {"encoder_ffn_dim": 32, "decoder_ffn_dim": 32, "encoder_attention_heads": 2, "decoder_attention_heads": 2}
    return {
        "florence_config": {
            "vision_config": vision,
            "text_config": text,
            "projection_dim": 32,
            "vocab_size": len(tokenizer),
        },
        "tokenizer_name": str(folder / "tokenizer"),
        "tokenizer_max_length": 16,
        "hidden_size": 32,
        "depth": 1,
        "num_heads": 2,
        "len_soft_prompts": 2,
        "num_domains": 4,
        "num_denoising_steps": 3,
        "chunk_size": CHUNK,
        "n_action_steps": ACTIONS,
        "max_state_dim": 20,
    }


def train_tokenizer(special: dict[str, str]) -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    first = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = trainers.BpeTrainer(
        vocab_size=320, special_tokens=[*first, *special.values()], initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    tokenizer.train_from_iterator(WORDS, trainer)
    names = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, extra_special_tokens=special, **names)


if __name__ == "__main__":
    main()
