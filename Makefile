# Two commands matter: `make demo` runs a small examination and prints where its report is, `make test` checks everything.
# Both set up what they need first (scripts/setup.sh); the stamp skips that until pyproject.toml changes.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.proctor-ready
# Tests at a time, of those that need no quiet; tests/conftest.py says which they are.
JOBS ?= 2
export MUJOCO_GL ?= egl

.DEFAULT_GOAL := help
.PHONY: help setup demo quick test nightly lint format types docs certify certify-knowledge tracks gallery speed bench servebench scale lerobot peers clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(STAMP): pyproject.toml scripts/setup.sh
	@PYTHON="$(PYTHON)" VENV="$(VENV)" bash scripts/setup.sh
	@touch $@

setup: $(STAMP) ## make the virtual environment and install the system libraries

DEMO_FLAGS := --episodes 1 --levels L1,L2 --workers 2 --seed 7 --video all

demo: $(STAMP) ## a small examination of two policies, then its report
	$(BIN)/proctor run arena/static_obstacles --policy expert $(DEMO_FLAGS) --out runs/demo
	$(BIN)/proctor run arena/static_obstacles --policy reckless $(DEMO_FLAGS) --out runs/demo-reckless
	$(BIN)/proctor report runs/demo runs/demo-reckless --out runs/demo-report
	@echo "Open $(CURDIR)/runs/demo-report/index.html"

peers: ## the packages that we talk to, openpi-client and vla-eval, in an environment of their own
	@PYTHON="$(PYTHON)" bash scripts/peers.sh

# A few files of every package, 90 seconds of CPU in all; tests/test_boundaries.py sees that none is left out.
QUICK := $(addprefix tests/, test_boundaries.py test_startup.py core/test_core_jsonl.py core/test_core_spec.py \
  tasks/cbddl/test_cbddl_lint.py tasks/suites/test_suites_catalog.py tasks/knowledge/test_rules.py \
  assets/test_assets_registry.py sim/test_world_env.py policies/probes policies/wire/test_frames.py \
  policies/scripted/test_expert.py run/plan/test_plan.py run/engine/test_rollout_episode.py \
  results/test_record_rows.py results/test_record_store.py analysis/stats/test_compare.py \
  analysis/stats/test_proportions.py report/test_report_summary.py words/test_phrases.py words/test_grammar.py \
  learn/demos planning/test_plan_bank.py planning/test_plan_parse.py serving/test_batching_rule.py \
  serving/test_proctor_wire.py station/test_session_schedule.py station/test_lab_units.py cli/test_cli_app.py)

quick: $(STAMP) ## something of every package, in under a minute
	$(BIN)/ruff check .
	$(BIN)/pytest -n $(JOBS) --dist loadgroup $(QUICK)

test: lint types docs peers ## everything: style, types, documentation, tests
	$(BIN)/pytest -m "quiet and not nightly"
	$(BIN)/pytest -m "not quiet and not nightly" -n $(JOBS) --dist loadgroup

nightly: $(STAMP) ## wide sweeps: 31 tasks certified, every id made, ten times the random cases of every property
	$(BIN)/pytest -m "nightly or hypothesis" --hypothesis-profile=nightly -n $(JOBS) --dist loadgroup

lint: $(STAMP) ## ruff, rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(STAMP) ## let ruff rewrite what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(STAMP) ## mypy, strict
	$(BIN)/mypy

docs: $(STAMP) ## build the documentation into site/, warnings are errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

certify: $(STAMP) ## the long one: every certificate of every task on 20 layouts; again goes on where it stopped
	$(BIN)/proctor check arena goal --layouts 20 --baselines --out runs/certify --pages docs/reference/tables

certify-knowledge: $(STAMP) ## the same for the knowledge suites (207 minutes of one core): 90 drawn tasks, 200 answers of each proved
	$(BIN)/proctor check knowledge/primitive knowledge/composite --layouts 20 --out runs/certify-knowledge --pages runs/certify-knowledge

tracks: $(STAMP) ## three policies on the seven tracks of the knowledge suites; writes the tables in docs/explanation/knowledge.md
	$(BIN)/python scripts/track_table.py

gallery: $(STAMP) ## docs/reference/tables/gallery.md and its pictures: every suite and level
	$(BIN)/python scripts/gallery.py

speed: $(STAMP) ## docs/reference/tables/speed.md: a control step and a reset of every suite on one core
	$(BIN)/python benchmarks/suite_speed.py --page docs/reference/tables/speed.md

bench: $(STAMP) ## speed against a peer, in one run; never part of the tests
	$(BIN)/python benchmarks/bench_sim.py

lerobot: ## a virtual environment of its own with LeRobot 0.4.4 (2 GB): serves its policies, runs its evaluator
	PYTHON="$(PYTHON)" bash scripts/lerobot_env.sh

servebench: $(STAMP) peers ## serving speed beside vla-eval 0.8.0, on a quiet machine; writes docs/reference/tables/serving_speed.md
	$(BIN)/python benchmarks/serving/bench.py --page docs/reference/tables/serving_speed.md

scale: $(STAMP) ## what two workers bring and what 100,000 episodes cost, on a quiet machine; writes docs/reference/tables/scale.md
	$(BIN)/python scripts/scale_page.py

clean: ## remove what the other targets made, runs and the virtual environment included
	rm -rf $(VENV) .venv-peers .cache site runs report build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
