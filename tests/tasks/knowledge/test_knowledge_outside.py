"""The tables against public pages that were written by others: every number lies in our interval, no fact is denied.

Values as read on 2026-11-16; the keys name the pages. Units: densities kg/m3, expansion 1e-6/K, sound m/s, others 1.
"""

from __future__ import annotations

import pytest

from proctor.tasks.knowledge.facts import Item, Question, book, prove, table

Values = dict[str, tuple[float, ...]]
OUTSIDE: dict[str, dict[str, Values]] = {
    "density": {
        "physics.about.com/od/fluidmechanics/a/commondens.htm": {
            "aluminium": (2700,),
            "copper": (8900,),
            "gold": (19300,),
            "ice": (920,),
            "lead": (11300,),
            "steel": (7800,),
        },
        "coolmagnetman.com/magconda.htm": {
            "aluminium": (2700,),
            "copper": (8960,),
            "lead": (11360,),
            "gold": (19320,),
        },
        "sciencenotes.org/table-of-density-of-common-materials": {
            "ice": (920,),
            "granite": (2600, 2700),
            "aluminium": (2700,),
            "steel": (7800,),
            "copper": (8300, 9000),
            "lead": (11300,),
            "gold": (19300,),
        },
        "piping-designer.com, density table": {"brick": (1922, 2403, 2050)},
    },
    "thermal_expansion": {
        "engineeringtoolbox.com, volume coefficients, a third of each": {
            "aluminium": (23.0,),
            "brass": (19.0,),
            "carbon steel": (10.8, 11.0, 13.0),
            "concrete": (12.0,),
            "copper": (16.6,),
            "soda-lime glass": (9.2,),
            "borosilicate glass": (3.3,),
            "lead": (28.0,),
            "titanium": (8.7,),
        },
        "tigerquesttech.com, coefficients of linear thermal expansion": {
            "acrylic": (75,),
            "aluminium": (24,),
            "brass": (19,),
            "concrete": (14.5, 9.8),
            "copper": (17,),
            "borosilicate glass": (4.0,),
            "soda-lime glass": (9.0,),
            "granite": (7.9,),
        },
        "liquisearch.com, thermal expansion coefficients": {
            "aluminium": (23.1,),
            "brass": (19,),
            "carbon steel": (10.8,),
            "concrete": (12,),
            "copper": (17,),
            "soda-lime glass": (8.5,),
            "borosilicate glass": (3.3,),
            "lead": (29,),
            "titanium": (8.6,),
            "fused silica": (0.59,),
        },
        "engineersedge.com, per degree Fahrenheit times 1.8": {
            "acrylic": (234.0, 81.0),
            "aluminium": (23.6,),
            "brass": (18.7, 20.2, 20.3),
            "concrete": (14.4, 9.9),
            "copper": (17.6,),
            "soda-lime glass": (9.0,),
            "borosilicate glass": (4.0,),
            "granite": (7.9,),
            "lead": (27.2,),
        },
    },
    "speed_of_sound": {
        "hbcp.chemnetbase.com, bulk and rod": {"aluminium": (6420, 5000)},
        "rfcafe.com, velocity of sound in various media": {
            "aluminium": (6420, 5000),
            "steel": (5960, 5200, 5790, 5000),
        },
        "soundrolling.com, speed of sound list": {
            "water": (1489,),
            "helium gas at 20 C": (972,),
            "air at 20 C": (343, 331),
            "diamond": (12000,),
            "aluminium": (5100,),
            "soda-lime glass": (3962,),
        },
        "cryer.org.uk, speeds of sound of the elements": {"diamond": (18350,), "aluminium": (6420, 5000, 5100)},
    },
    "friction_on_steel": {
        "schneider-company.com, coefficient of friction chart": {
            "aluminium": (0.61,),
            "copper": (0.53,),
            "polished graphite": (0.1,),
        },
        "Handbook of Surface Improvement and Modification, table 11.1": {
            "aluminium": (0.35,),
            "copper": (0.32, 0.23),
            "steel": (0.31,),
            "PTFE": (0.18,),
        },
        "designengineers.blogspot.com, static ranges": {
            "PTFE": (0.10, 0.25),
            "nylon": (0.30, 0.50),
            "aluminium": (0.30, 0.45),
            "steel": (0.60, 0.80),
            "copper": (0.30, 0.40),
            "soft dry rubber": (1.0, 4.0),
            "dry pine wood": (0.30, 0.50),
        },
        "drill-hq.com, coefficient of friction": {
            "steel": (0.78,),
            "aluminium": (0.61,),
            "copper": (0.53,),
            "polished graphite": (0.1,),
        },
    },
    "drag_coefficient": {
        "grc.nasa.gov, shape effects on drag": {
            "flat disc, face to the flow": (1.28,),
            "streamlined teardrop": (0.045,),
        },
        "Physics for Game Programmers, table 5-3": {
            "flat disc, face to the flow": (1.17,),
            "cube, face to the flow": (1.05, 1.07),
            "sphere": (0.40, 0.47),
            "open cup, hollow side to the flow": (1.4,),
        },
        "diracdelta.co.uk, drag coefficient": {"flat disc, face to the flow": (1.12,), "sphere": (0.45,)},
    },
    "specular_reflectance": {
        "reefcentral.com, reflectance": {"polished stainless steel": (0.60,)},
        "technical mirrors when new": {"silvered mirror": (0.90, 0.95)},
    },
}
# Pages: knowpar.com, kwgls.wordpress.com, blog.prestigeflowers.co.uk, gradinadinbalcon.blogspot.com.
FLOWERS = {
    "Netherlands": "tulip",
    "England": "rose",
    "India": "lotus",
    "Vietnam": "lotus",
    "China": "peony",
    "Denmark": "daisy",
    "Wales": "daffodil",
    "Scotland": "thistle",
    "Switzerland": "edelweiss",
    "Austria": "edelweiss",
    "Spain": "carnation",
    "Malaysia": "hibiscus",
    "Singapore": "orchid",
    "Colombia": "orchid",
    "Japan": "cherry blossom",
}
# Pages: docslib.org/doc/11850863, bibliomania.com, openculture.com (list of 1898).
YEARS = {
    "Don Quixote": 1604,
    "Robinson Crusoe": 1719,
    "Gulliver's Travels": 1726,
    "Frankenstein": 1818,
    "Jane Eyre": 1847,
    "David Copperfield": 1850,
    "Great Expectations": 1861,
    "Dracula": 1897,
    "Ulysses": 1922,
}
# Pages: byjus.com, chemistryscl.com, qammunity.org, jandrphotos.com.
SOLIDS = {
    ("Pb(NO3)2", "K2CrO4"): ("PbCrO4", "yellow"),
    ("Pb(NO3)2", "KI"): ("PbI2", "yellow"),
    ("AgNO3", "NaCl"): ("AgCl", "white"),
    ("AgNO3", "KI"): ("AgI", "yellow"),
    ("BaCl2", "H2SO4"): ("BaSO4", "white"),
    ("CaCl2", "Na2CO3"): ("CaCO3", "white"),
    ("CuSO4", "NaOH"): ("Cu(OH)2", "blue"),
}
# Pages: extension.oregonstate.edu, naradanews.com, en.drinkfood.biz.
COLD = ("raw fish", "raw steak", "milk carton", "opened yoghurt", "cooked leftovers", "cream cake")


@pytest.mark.parametrize("name", sorted(OUTSIDE))
def test_outside_values_lie_in_our_intervals(name: str) -> None:
    ours = table("materials")["properties"][name]["values"]
    for page, materials in OUTSIDE[name].items():
        for material, values in materials.items():
            _, low, high = ours[material]
            assert all(low <= value <= high for value in values), (page, material, values, (low, high))


def test_flowers_of_countries() -> None:
    listed = table("flowers")["national_or_emblem_flower"]
    for country, flower in FLOWERS.items():
        assert [kind for kind, countries in listed.items() if country in countries] == [flower], country


def test_years_of_books() -> None:
    """Lists differ by a year where a work came out at its turn; our orders keep twenty years between neighbours."""
    assert all(abs(book(title)["year"] - year) <= 1 for title, year in YEARS.items())


def test_colours_of_precipitates() -> None:
    for pair, (product, colour) in SOLIDS.items():
        tubes = [Item(f"tube_{n}", "tube", {"solution": solution}) for n, solution in enumerate(pair)]
        proof = prove(Question("reaction", {"event": "precipitate", "product": product, "colour": colour}), tubes)
        assert set(proof.names) == {"tube_0", "tube_1"}, pair


def test_what_is_kept_cold() -> None:
    assert set(COLD) == set(table("storage")["fridge"])
