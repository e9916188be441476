"""Pictures as the models' pipelines make them, against laws, Pillow, SciPy and numbers that TensorFlow 2.21 printed."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

from proctor.policies.adapters._images import crop_centre, jpeg_round_trip, orient, resize_lanczos, resize_with_pad
from proctor.policies.adapters._openvla import openvla_image

RNG = np.random.default_rng(3)
NOISE = RNG.integers(0, 256, (256, 256, 3), dtype=np.uint8)
SMALL = ((np.arange(8 * 8 * 3) * 37) % 251).astype(np.uint8).reshape(8, 8, 3)
# tf.image.resize(SMALL, (n, n), "lanczos3", antialias=True), rounded; n = 5, channel 0, and n = 11, row 5, channel 1.
TF_SHRUNK = [
    [103, 175, 137, 118, 91],
    [104, 183, 159, 131, 110],
    [79, 84, 169, 148, 124],
    [111, 69, 116, 175, 136],
    [127, 90, 131, 189, 154],
]
TF_GROWN = [134, 126, 113, 104, 101, 43, 73, 216, 198, 151, 158]
# tf.image.crop_and_resize to 6 x 6 of the centre with area 0.9, as float and back to uint8; channel 2.
TF_CROPPED = [
    [110, 116, 124, 51, 161, 139],
    [148, 129, 110, 90, 71, 154],
    [188, 142, 94, 131, 83, 37],
    [146, 154, 163, 87, 97, 104],
    [187, 167, 147, 129, 109, 89],
    [55, 180, 133, 168, 121, 77],
]


@pytest.mark.parametrize("mirror", [False, True])
@pytest.mark.parametrize("rotate", [0, 180])
def test_turning_twice_gives_the_picture_back(mirror: bool, rotate: int) -> None:
    assert np.array_equal(orient(orient(NOISE, mirror, rotate), mirror, rotate), NOISE)


@pytest.mark.parametrize(
    ("mirror", "rotate", "corner"),
    [(False, 0, (0, 0)), (True, 0, (0, 7)), (False, 180, (7, 7)), (True, 180, (7, 0))],
)
def test_where_the_upper_left_pixel_goes(mirror: bool, rotate: int, corner: tuple[int, int]) -> None:
    picture = np.zeros((8, 8, 3), np.uint8)
    picture[0, 0] = 255
    assert np.argwhere(orient(picture, mirror, rotate).any(axis=2)).tolist() == [list(corner)]


def test_what_libero_data_shows_is_the_mirrored_upright_picture() -> None:
    raw = NOISE[::-1]  # robosuite hands frames out in OpenGL's order of rows
    assert np.array_equal(orient(NOISE, mirror=True, rotate=0), raw[::-1, ::-1])


def test_only_half_turns() -> None:
    with pytest.raises(ValueError, match="rotate is 90"):
        orient(NOISE, False, 90)


def test_lanczos_equals_tensorflow() -> None:
    assert resize_lanczos(SMALL, 5)[..., 0].tolist() == TF_SHRUNK
    assert resize_lanczos(SMALL, 11)[5, :, 1].tolist() == TF_GROWN


def test_lanczos_equals_pillow_up_to_its_rounding_between_the_two_passes() -> None:
    mild = NOISE // 3 + 80  # Pillow also clips between the passes; here nothing leaves 0 to 255
    theirs = np.asarray(Image.fromarray(mild).resize((224, 224), Image.Resampling.LANCZOS))
    assert np.abs(resize_lanczos(mild, 224).astype(int) - theirs).max() <= 1


def test_lanczos_keeps_what_has_nothing_to_interpolate() -> None:
    assert np.array_equal(resize_lanczos(NOISE, 256), NOISE)
    assert np.unique(resize_lanczos(np.full((64, 64, 3), 77, np.uint8), 41)).tolist() == [77]


def test_centre_crop_equals_tensorflow() -> None:
    assert crop_centre(SMALL, 0.9, 6)[..., 2].tolist() == TF_CROPPED


def test_centre_crop_samples_a_box_of_that_area() -> None:
    side = 0.9**0.5
    at = 223 * ((1 - side) / 2 + side * np.arange(224) / 223)
    picture = resize_lanczos(NOISE, 224)
    grid = np.stack(np.meshgrid(at, at, indexing="ij"))
    expected = np.stack(
        [ndimage.map_coordinates(picture[..., c].astype(float), grid, order=1, mode="nearest") for c in range(3)],
        axis=-1,
    )
    assert np.abs(crop_centre(picture, 0.9, 224) - np.floor(expected / 255 * 255.5)).max() <= 1
    assert (at[-1] - at[0]) ** 2 / 223**2 == pytest.approx(0.9)


def test_centre_crop_of_everything_is_the_picture() -> None:
    assert np.array_equal(crop_centre(NOISE, 1.0, 256), NOISE)


@pytest.mark.parametrize("area", [0.0, 1.1, -0.5])
def test_an_area_must_be_a_share(area: float) -> None:
    with pytest.raises(ValueError, match="area is"):
        crop_centre(NOISE, area, 224)


def test_jpeg_keeps_brightness_and_halves_colour() -> None:
    stripes = np.zeros((64, 64, 3), np.uint8)
    stripes[:, ::2] = 255
    assert np.abs(jpeg_round_trip(stripes).astype(int) - stripes).mean() < 4
    coloured = np.zeros((64, 64, 3), np.uint8)
    coloured[:, ::2, 0], coloured[:, 1::2, 2] = 255, 255
    assert np.abs(jpeg_round_trip(coloured).astype(int) - coloured).mean() > 30


def test_resize_with_pad_centres_and_keeps_the_shape() -> None:
    wide = np.full((128, 256, 3), 200, np.uint8)
    fitted = resize_with_pad(wide, 224)
    assert fitted.shape == (224, 224, 3)
    assert (fitted[:56] == 0).all()
    assert (fitted[-56:] == 0).all()
    assert (fitted[56:168] == 200).all()
    assert resize_with_pad(fitted, 224) is fitted


def test_resize_with_pad_is_pillows_bilinear_for_squares() -> None:
    theirs = np.asarray(Image.fromarray(NOISE).resize((224, 224), Image.Resampling.BILINEAR))
    assert np.array_equal(resize_with_pad(NOISE, 224), theirs)


def test_openvla_sees_224_pixels_and_less_of_the_border_when_cropped() -> None:
    framed = np.zeros((256, 256, 3), np.uint8)
    framed[3:-3, 3:-3] = 255
    whole, cropped = openvla_image(framed, center_crop=False), openvla_image(framed)
    assert whole.shape == cropped.shape == (224, 224, 3)
    assert whole[0].max() < 128
    assert cropped[0].min() > 250
