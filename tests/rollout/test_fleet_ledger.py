"""The laws of leases, against a model that knows nothing but sets."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.core import EpisodeSpec
from proctor.rollout._worker import Assignment
from proctor.rollout.fleet._ledger import MAX_LOSSES, MAX_RESERVE, Ledger

AGENTS = (b"a", b"b", b"c")


def specs(count: int) -> list[EpisodeSpec]:
    return [EpisodeSpec("s", "s/L0/t@v1", "L0", "h", i, i, "do", "noop") for i in range(count)]


def ledger(count: int) -> tuple[Ledger, list[str]]:
    plan = specs(count)
    return Ledger((Assignment(spec, 1) for spec in plan), count), [spec.episode_id for spec in plan]


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["take", "take", "take", "row", "row", "stray", "error", "lose", "leave"]),
        st.sampled_from(AGENTS),
        st.integers(0, 20),
    ),
    max_size=120,
)


@given(count=st.integers(0, 12), actions=ACTIONS)
def test_whatever_happens_every_episode_has_exactly_one_row(count: int, actions) -> None:
    book, plan = ledger(count)
    holds: dict[bytes, list[str]] = {agent: [] for agent in AGENTS}
    settled: list[str] = []
    for what, agent, which in actions:
        if what == "take":
            taken = book.take(agent)
            if taken is not None:
                assert all(taken.spec.episode_id not in held for held in holds.values()), "leased twice"
                assert taken.spec.episode_id not in settled, "leased after it was settled"
                holds[agent].append(taken.spec.episode_id)
        elif what == "row" and holds[agent]:
            identity = holds[agent].pop(which % len(holds[agent]))
            assert book.settle(agent, identity, completed=True).accepted
            settled.append(identity)
        elif what == "stray" and plan:
            # A completed row from whoever may once have held it: taken if the episode is out, once.
            identity = plan[which % len(plan)]
            was_out = book.is_out(identity)
            answer = book.settle(agent, identity, completed=True)
            assert answer.accepted == was_out
            if was_out:
                settled.append(identity)
                holder = next((a for a in AGENTS if identity in holds[a]), None)
                assert answer.other == (holder if holder != agent else None)
                if holder is not None:
                    holds[holder].remove(identity)
        elif what == "error" and plan:
            identity = plan[which % len(plan)]
            mine = identity in holds[agent]
            assert book.settle(agent, identity, completed=False).accepted == mine
            if mine:
                holds[agent].remove(identity)
                settled.append(identity)
        elif what in ("lose", "leave"):
            for lost in book.lose(agent, agent.decode(), running=which % 3 if what == "lose" else 0):
                assert len(lost.hosts) == MAX_LOSSES
                settled.append(lost.assignment.spec.episode_id)
            holds[agent] = []
        assert book.left == count - len(settled)
        assert all(book.held(a) == len(holds[a]) for a in AGENTS)
        assert book.out <= count - len(settled)
    while book.left:
        taken = book.take(b"z")
        if taken is None:
            for agent in AGENTS:
                book.lose(agent, "x", running=0)
            continue
        assert book.settle(b"z", taken.spec.episode_id, completed=True).accepted
        settled.append(taken.spec.episode_id)
    assert sorted(settled) == sorted(plan)
    assert book.out == 0


@settings(max_examples=40)
@given(count=st.integers(1, 400), capacities=st.lists(st.integers(1, 8), min_size=1, max_size=4))
def test_blocks_shrink_to_single_episodes_and_memory_follows_the_leases(count: int, capacities: list[int]) -> None:
    book, _ = ledger(count)
    agents = {bytes([65 + i]): capacity for i, capacity in enumerate(capacities)}
    held: dict[bytes, list[str]] = {agent: [] for agent in agents}
    fleet = sum(capacities)
    reserves = []
    while book.left:
        for agent, capacity in agents.items():
            wanted = book.wanted(agent, capacity, fleet)
            reserves.append(max(0, wanted - capacity))
            for _ in range(wanted):
                taken = book.take(agent)
                assert taken is not None
                held[agent].append(taken.spec.episode_id)
            if len(held[agent]) < capacity:
                assert book.waiting == 0, "a worker idles although episodes wait"
        assert book.out <= fleet + MAX_RESERVE * len(agents)
        for agent in agents:
            if held[agent]:
                assert book.settle(agent, held[agent].pop(0), completed=True).accepted
    share = count * capacities[0] // (3 * fleet)
    assert reserves[0] == max(0, min(count, capacities[0] + min(MAX_RESERVE, share)) - capacities[0])
    assert max(reserves) <= MAX_RESERVE


def test_an_episode_lost_with_three_hosts_is_given_up_and_those_that_waited_are_not() -> None:
    book, plan = ledger(3)
    for number in range(MAX_LOSSES):
        agent = bytes([number])
        first = book.take(agent)
        assert first is not None
        assert first.spec.episode_id == plan[0]
        assert first.attempt == number + 1
        while book.take(agent):
            pass
        lost = book.lose(agent, f"host{number}", running=1)
        assert bool(lost) == (number == MAX_LOSSES - 1)
    assert lost[0].hosts == ("host0", "host1", "host2")
    assert lost[0].assignment.attempt == MAX_LOSSES
    rest = [book.take(b"last") for _ in range(2)]
    assert [(r.spec.episode_id, r.attempt) for r in rest if r] == [(plan[1], 1), (plan[2], 1)]
