"""The vision axis: laws of the image operations, what a level changes and what it must not."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageEnhance
from scipy import stats
from world_bench import Bench, episode

from proctor.core import VISION_LEVELS, EpisodeSpec, Observation, named_rng
from proctor.policies.scripted import ExpertPolicy
from proctor.sim import CAMERAS, SceneError, SimEnv
from proctor.sim.vision import VARIANCE, Gaussian, Light, SaltPepper
from proctor.sim.vision.camera import OFFSET_M, draw_offset
from proctor.sim.vision.colour import materials
from proctor.tasks.cbddl import read_task
from proctor.tasks.suites import find

SIZE = 96
OFFSETS = st.floats(-1.0, 1.0, width=32)
TWO = {"objects": {"apple_1": "apple", "mug_1": "blue_mug"}, "at": {"apple_1": (0.0, 0.2), "mug_1": (0.0, -0.2)}}


@pytest.fixture(scope="module")
def task(bench: Bench) -> Path:
    return bench.write(
        objects=TWO["objects"],
        at=TWO["at"] | {"white_cabinet_1": (-0.1, 0.45)},
        fixtures={"white_cabinet_1": "white_cabinet"},
    )


def noise_image(seed: int, shape: tuple[int, ...] = (40, 50, 3)) -> np.ndarray:
    """A picture with every level in it, dark on one side and bright on the other."""
    rng = np.random.default_rng(seed)
    ramp = np.linspace(-80, 80, shape[1])[None, :, None]
    return np.clip(rng.integers(0, 256, shape) + ramp, 0, 255).astype(np.uint8)


def look(bench: Bench, camera: str = "agentview", size: int = SIZE) -> np.ndarray:
    return bench.env.observe((camera,), size).images[camera]


def raw(bench: Bench, camera: str = "agentview", size: int = SIZE) -> np.ndarray:
    return bench.env.render(camera, size, size)


# -- light ---------------------------------------------------------------------------------------------
@given(brightness=OFFSETS, contrast=OFFSETS, saturation=OFFSETS, seed=st.integers(0, 9))
def test_light_is_pillows_to_the_byte(brightness: float, contrast: float, saturation: float, seed: int) -> None:
    image = noise_image(seed)
    want = Image.fromarray(image)
    for enhance, offset in (
        (ImageEnhance.Brightness, brightness),
        (ImageEnhance.Contrast, contrast),
        (ImageEnhance.Color, saturation),
    ):
        want = enhance(want).enhance(1.0 + offset)
    assert np.array_equal(Light(brightness, contrast, saturation).apply(image), np.asarray(want))


def test_neutral_light_changes_nothing_and_no_light_its_input() -> None:
    image = noise_image(1)
    before = image.copy()
    assert np.array_equal(Light().apply(image), before)
    Light(0.5, -0.5, 0.5, 4000.0).apply(image)
    assert np.array_equal(image, before)


@pytest.mark.parametrize(
    ("temperature_k", "want"), [(3500, (118, 100, 81)), (6500, (100, 100, 100)), (8500, (87, 100, 112))]
)
def test_temperature_follows_the_published_rule(temperature_k: float, want: tuple[int, int, int]) -> None:
    grey = np.full((2, 2, 3), 100, np.uint8)
    assert Light(temperature_k=temperature_k).apply(grey)[0, 0].tolist() == list(want)


@pytest.mark.parametrize("level", [0, 255])
def test_extremes_saturate_and_do_not_wrap(level: int) -> None:
    flat = np.full((4, 4, 3), level, np.uint8)
    for temperature_k in (1000.0, 40000.0):
        out = Light(0.75, 0.75, 0.75, temperature_k).apply(flat)
        assert out[..., 1].tolist() == flat[..., 1].tolist()
        hot, cold = (0, 2) if temperature_k < 6500 else (2, 0)
        assert (out[..., hot] >= out[..., 1]).all()
        assert (out[..., cold] <= out[..., 1]).all()


# -- noise ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("variance", [0.0004, 0.05, VARIANCE])
@pytest.mark.parametrize("level", [20, 128, 240])
def test_gaussian_noise_has_the_normal_distribution_clipped(variance: float, level: int) -> None:
    image = np.full((300, 300, 3), level, np.uint8)
    noisy = Gaussian(variance=variance).apply(image, named_rng(1, "x"))
    for edge in (0, 10, level, level + 12, 250, 254):
        want = stats.norm.cdf((edge + 0.5 - level) / 255 / np.sqrt(variance))
        sigma = np.sqrt(want * (1 - want) / noisy.size)
        assert np.mean(noisy <= edge) == pytest.approx(want, abs=5 * sigma + 1e-4)


def test_gaussian_noise_is_independent_between_pixels_and_channels_and_has_its_mean() -> None:
    image = np.full((200, 200, 3), 128, np.uint8)
    noisy = Gaussian(0.1, 0.01).apply(image, named_rng(2, "x")).astype(float) - 128
    assert noisy.mean() == pytest.approx(25.5, abs=0.4)
    assert noisy.var() == pytest.approx(255**2 * 0.01, rel=0.02)
    flat = noisy.reshape(-1, 3)
    pairs = [(flat[:, 0], flat[:, 1]), (flat[:, 1], flat[:, 2]), (flat[:-1, 0], flat[1:, 0])]
    assert all(abs(np.corrcoef(a, b)[0, 1]) < 0.025 for a, b in pairs)


@pytest.mark.parametrize("share", [0.0, 0.02, 0.4, 1.0])
def test_salt_and_pepper_spoil_their_share_half_black_half_white(share: float) -> None:
    image = np.full((300, 300, 3), 77, np.uint8)
    noisy = SaltPepper(share).apply(image, named_rng(3, "x"))
    black, white = ((noisy == level).all(axis=2).mean() for level in (0, 255))
    tolerance = 5 * np.sqrt(share / 2 / 90_000) + 1e-9
    assert black == pytest.approx(share / 2, abs=tolerance)
    assert white == pytest.approx(share / 2, abs=tolerance)
    assert ((noisy == 77).all(axis=2)).mean() == pytest.approx(1 - black - white)


# -- what is drawn -------------------------------------------------------------------------------------
def test_light_and_camera_are_uniform_over_the_table_4_ranges() -> None:
    lights = [Light.draw(seed) for seed in range(2000)]
    draws = {name: np.array([getattr(light, name) for light in lights]) for name in lights[0].values()}
    ranges = dict.fromkeys(("brightness", "contrast", "saturation"), (-0.75, 0.75))
    ranges["temperature_k"] = (3500.0, 8500.0)
    offsets = np.array([draw_offset(seed) for seed in range(2000)])
    assert OFFSET_M == 0.105
    for axis in range(3):
        draws[f"axis {axis}"] = offsets[:, axis]
        ranges[f"axis {axis}"] = (-0.105, 0.105)
    for name, (low, high) in ranges.items():
        assert stats.kstest(draws[name], stats.uniform(low, high - low).cdf).pvalue > 1e-4, name


def test_levels_are_cumulative_and_drawn_from_the_seed(bench: Bench, task: Path) -> None:
    drawn = {}
    for level in VISION_LEVELS:
        bench.start(task, 5, vision=level)
        drawn[level] = bench.env.finish().vision
    assert drawn["V0"] == {}
    assert list(drawn["V1"]) == ["brightness", "contrast", "saturation", "temperature_k"]
    for lower, higher in itertools.pairwise(VISION_LEVELS):
        assert list(drawn[higher].items())[: len(drawn[lower])] == list(drawn[lower].items())
        assert len(drawn[higher]) > len(drawn[lower])
    bench.start(task, 6, vision="V4")
    other = bench.env.finish().vision
    assert other.keys() == drawn["V4"].keys()
    assert {name for name in other if other[name] == drawn["V4"][name]} == {"noise_variance"}
    assert json.loads(json.dumps(other)) == other


def test_colours_cover_the_published_cube(bench: Bench, task: Path) -> None:
    parts = []
    for seed in range(120):
        bench.start(task, seed, vision="V2") if seed < 3 else bench.env.vision.begin(seed, "V2")
        values = bench.env.vision.values
        parts += [[float(x) for x in values[name].split()] for name in values if name.startswith("color/")]
    colours = np.array(parts)
    assert len(colours) >= 240
    for channel in range(3):
        assert stats.kstest(colours[:, channel], stats.uniform(0.2, 0.6).cdf).pvalue > 1e-4


# -- what a level changes ------------------------------------------------------------------------------
def test_v0_is_the_plain_picture_also_after_other_levels(bench: Bench, task: Path) -> None:
    cameras = tuple(CAMERAS)
    pictures = []
    for level in ("V0", "V4", "V0"):
        bench.start(task, 3, vision=level)
        pictures.append(bench.env.observe(cameras, SIZE).images)
        if level == "V0":
            assert all(np.array_equal(pictures[-1][camera], raw(bench, camera)) for camera in cameras)
    assert all(np.array_equal(pictures[0][camera], pictures[2][camera]) for camera in cameras)
    assert not any(np.array_equal(pictures[0][camera], pictures[1][camera]) for camera in cameras)


def test_v2_recolours_the_objects_and_nothing_else(bench: Bench, task: Path) -> None:
    bench.start(task, 4)
    scene, before = bench.scene, raw(bench)
    plain = scene.model.geom_rgba.copy()
    bench.start(task, 4, vision="V2")
    changed = (raw(bench) != before).any(axis=2)
    renderer = mujoco.Renderer(scene.model, SIZE, SIZE)
    renderer.enable_segmentation_rendering()
    renderer.update_scene(scene.data, camera=CAMERAS["agentview"], scene_option=bench.env._renderers._option)
    ids = renderer.render()[..., 0]
    renderer.close()
    owners = np.array([scene.owner(int(geom)) if geom >= 0 else "" for geom in ids.ravel()]).reshape(ids.shape)
    seen = np.isin(owners, list(scene.movable))
    assert seen.sum() > 60
    assert not (changed & ~seen).any()
    assert (changed & seen).sum() > 0.9 * seen.sum()
    repainted = set(np.nonzero((scene.model.geom_rgba != plain).any(axis=1))[0].tolist())
    assert repainted == {geom for name in scene.movable for geom in materials(scene.model)[name]}
    for name, text in bench.env.vision.values.items():
        if name.startswith("color/"):
            thing, number = name.removeprefix("color/").split("/")
            rgba = scene.model.geom(f"{thing}/visual/{number}").rgba
            assert rgba[:3] == pytest.approx([float(part) for part in text.split()], abs=1e-6)
            assert rgba[3] == scene.model.mat_rgba[scene.model.geom(f"{thing}/visual/{number}").matid[0]][3]


def test_v3_moves_the_third_person_camera_without_turning_it(bench: Bench, task: Path) -> None:
    frames = {}
    for level in ("V2", "V3"):
        data = bench.start(task, 8, vision=level).data
        frames[level] = {c: (data.camera(n).xpos.copy(), data.camera(n).xmat.copy()) for c, n in CAMERAS.items()}
    drawn = [bench.env.vision.values[f"camera_d{axis}_m"] for axis in "xyz"]
    for camera in CAMERAS:
        shift = frames["V3"][camera][0] - frames["V2"][camera][0]
        assert shift == pytest.approx(drawn if camera == "agentview" else [0, 0, 0], abs=1e-12)
        assert np.array_equal(frames["V3"][camera][1], frames["V2"][camera][1])


def test_observing_is_a_pure_function_of_the_state(bench: Bench, task: Path) -> None:
    bench.start(task, 2, vision="V4")
    first = look(bench)
    bench.env.observe(tuple(CAMERAS), 64)
    assert np.array_equal(look(bench), first)
    saved, wrist = bench.env.snapshot(), look(bench, "wrist")
    for _ in range(3):
        bench.env.step(np.array([0.5, 0.5, -0.3, 0, 0, 0.3, -1]))
    assert not np.array_equal(look(bench), first)
    assert not np.array_equal(look(bench, "wrist"), wrist)
    bench.env.restore(saved)
    assert np.array_equal(look(bench), first)
    assert np.array_equal(look(bench, "wrist"), wrist)
    fresh = SimEnv()
    fresh.reset(episode(task, 2, vision="V4"))
    assert np.array_equal(fresh.observe(("agentview",), SIZE).images["agentview"], first)
    fresh.close()


def test_noise_differs_by_step_and_by_camera(bench: Bench, task: Path) -> None:
    bench.start(task, 2, vision="V4")
    grey = np.full((64, 64, 3), 128, np.uint8)
    frames = [bench.env.vision.perturb(grey, c, step).astype(float) for c in ("agentview", "wrist") for step in (0, 1)]
    for i, a in enumerate(frames):
        for b in frames[i + 1 :]:
            assert abs(np.corrcoef((a - a.mean()).ravel(), (b - b.mean()).ravel())[0, 1]) < 0.05


def test_physics_does_not_change_with_the_level() -> None:
    ref = find("arena/static_obstacles/L0")[0]
    task = read_task(ref.path)
    env, expert = SimEnv(), ExpertPolicy()
    expert.bind(env)
    outcomes = []
    for level in VISION_LEVELS:
        spec = EpisodeSpec(
            ref.suite, ref.id, ref.level, task.text_hash, 0, 11, task.language, "expert",
            task_path=str(ref.path), vision=level,
        )  # fmt: skip
        env.reset(spec)
        expert.reset(task.language, spec)
        for step in range(300):
            if step % 40 == 0:
                env.observe(("agentview", "wrist"), 32)
            if env.step(expert.act(Observation({}, np.zeros(8), task.language, step))).success:
                break
        outcomes.append(env.finish())
    env.close()
    assert all(outcome.success for outcome in outcomes)
    assert len({outcome.trajectory_hash for outcome in outcomes}) == 1


# -- a task's own blocks -------------------------------------------------------------------------------
def test_image_settings_of_a_task_come_before_those_of_the_level(bench: Bench) -> None:
    path = bench.write(**TWO, blocks="(:image_settings brightness 0.4 contrast 0.3 saturation -0.4 temperature 5000)")
    own = Light(0.4, 0.3, -0.4, 5000.0)
    bench.start(path, 1)
    assert bench.env.finish().vision == {}
    assert np.array_equal(look(bench), own.apply(raw(bench)))
    bench.start(path, 1, vision="V1")
    assert np.array_equal(look(bench), Light.draw(1).apply(own.apply(raw(bench))))


def test_noise_of_a_task_comes_before_that_of_the_level(bench: Bench) -> None:
    path = bench.write(**TWO, blocks="(:noise salt_pepper 0.1)")
    bench.start(path, 1)
    assert np.array_equal(look(bench), SaltPepper(0.1).apply(raw(bench), named_rng(1, "noise", "agentview", 0)))
    bench.start(path, 1, vision="V4")
    rng = named_rng(1, "noise", "agentview", 0)
    want = SaltPepper(0.1).apply(Light.draw(1).apply(raw(bench)), rng)
    assert np.array_equal(look(bench), Gaussian().apply(want, rng))
    bench.start(bench.write(**TWO, blocks="(:noise gaussian 0.1 0.01)"), 1)
    want = Gaussian(0.1, 0.01).apply(raw(bench), named_rng(1, "noise", "agentview", 0))
    assert np.array_equal(look(bench), want)


def test_camera_offsets_of_task_and_level_add_up(bench: Bench) -> None:
    plain = bench.build(**TWO).data
    where = {camera: plain.camera(name).xpos.copy() for camera, name in CAMERAS.items()}
    path = bench.write(**TWO, blocks="(:camera agentview 0.1 0 -0.05 sideview (0 0.2 0) wrist beauty)")
    for level, drawn in (("V0", np.zeros(3)), ("V3", draw_offset(1))):
        data = bench.start(path, 1, vision=level).data
        shift = {camera: data.camera(name).xpos - where[camera] for camera, name in CAMERAS.items()}
        assert shift["agentview"] == pytest.approx(np.array([0.1, 0, -0.05]) + drawn)
        assert shift["side"] == pytest.approx([0, 0.2, 0])
        assert shift["beauty"] == pytest.approx([0, 0, 0])


def test_random_color_gives_the_colours_of_v2(bench: Bench) -> None:
    bench.start(bench.write(**TWO), 7, vision="V2")
    colours = {name: v for name, v in bench.env.finish().vision.items() if name.startswith("color/")}
    bench.start(bench.write(**TWO, blocks="(:random_color true)"), 7)
    assert bench.env.finish().vision == colours
    bench.start(bench.write(**TWO, blocks="(:random_color false)"), 7)
    assert bench.env.finish().vision == {}


# -- mistakes and the parameter ------------------------------------------------------------------------
def test_an_unknown_level_is_refused(bench: Bench, task: Path) -> None:
    with pytest.raises(SceneError, match=r"unknown vision level 'V9' \(there are V0, V1, V2, V3, V4\)"):
        bench.start(task, vision="V9")


@pytest.mark.parametrize("value", [-0.1, 1.5, "much", True, float("nan")])
def test_a_senseless_variance_is_refused(value: object) -> None:
    with pytest.raises(SceneError, match="noise_variance"):
        SimEnv(noise_variance=value)  # type: ignore[arg-type]


def test_the_variance_is_a_parameter_that_rows_and_fingerprint_show(task: Path) -> None:
    env = SimEnv(noise_variance=0.05)
    env.reset(episode(task, 1, vision="V4"))
    assert env.finish().vision["noise_variance"] == 0.05
    assert env.spec().fingerprint["noise_variance"] == "0.05"
    assert "noise_variance" not in SimEnv().spec().fingerprint
    want = Gaussian(variance=0.05).apply(
        Light.draw(1).apply(env.render("agentview", SIZE, SIZE)), named_rng(1, "noise", "agentview", 0)
    )
    assert np.array_equal(env.observe(("agentview",), SIZE).images["agentview"], want)
    env.close()


def test_a_renderer_that_is_put_away_takes_nothing_from_the_others(bench: Bench) -> None:
    """The pool keeps three: a fourth size closes the first, in whose place the last one's textures used to go."""
    bench.build(**TWO)
    before = {size: raw(bench, size=size) for size in (32, 48, 64)}
    raw(bench, size=80)
    assert np.array_equal(raw(bench, size=64), before[64])
    assert np.array_equal(raw(bench, size=48), before[48])
    assert np.array_equal(raw(bench, size=32), before[32])
