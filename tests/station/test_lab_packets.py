"""Packets and registers at byte level. The golden bytes are worked examples of Feetech's protocol manual."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.station.arm import ArmError, Packet, PacketReader, ServoFault, fault_names, registers
from proctor.station.arm import _packets as packets

PACKETS = st.builds(Packet, st.integers(0, 0xFD), st.integers(0, 0xFF), st.binary(max_size=40))


@pytest.mark.parametrize(
    ("packet", "golden"),
    [
        (packets.ping(1), "FF FF 01 02 01 FB"),
        (packets.read(1, 0x38, 2), "FF FF 01 04 02 38 02 BE"),
        (packets.write(1, 0x2A, bytes.fromhex("0008 0000 E803")), "FF FF 01 09 03 2A 00 08 00 00 E8 03 D5"),
        (packets.sync_read([1, 2], 0x38, 8), "FF FF FE 06 82 38 08 01 02 36"),
        (Packet(1, 0, bytes.fromhex("1805")), "FF FF 01 04 00 18 05 DD"),
    ],
)
def test_golden_bytes(packet: Packet, golden: str) -> None:
    data = bytes.fromhex(golden)
    assert packet.encode() == data
    assert PacketReader().feed(data) == [packet]


def test_sync_write_repeats_id_and_data() -> None:
    packet = packets.sync_write({1: b"\x00\x08", 2: b"\x01\x02"}, 0x2A)
    assert packet.parameters == bytes.fromhex("2A 02 01 00 08 02 01 02")
    assert packet.servo == 0xFE


@given(st.lists(PACKETS, max_size=5), st.integers(1, 7))
def test_packets_survive_any_cutting(sent: list[Packet], size: int) -> None:
    data = b"".join(packet.encode() for packet in sent)
    reader = PacketReader()
    got = [packet for i in range(0, len(data), size) for packet in reader.feed(data[i : i + size])]
    assert got == sent
    assert reader.corrupt == 0


@given(PACKETS, st.data())
def test_one_wrong_bit_is_never_taken_for_the_packet(packet: Packet, data: st.DataObject) -> None:
    encoded = bytearray(packet.encode())
    encoded[data.draw(st.integers(2, len(encoded) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    assert packet not in PacketReader().feed(bytes(encoded))


@given(PACKETS)
def test_a_good_packet_is_found_after_a_broken_one(packet: Packet) -> None:
    broken = bytearray(Packet(1, 0, b"\x01\x02").encode())
    broken[-1] ^= 0xFF
    reader = PacketReader()
    assert reader.feed(bytes(broken) + packet.encode())[-1:] == [packet]
    assert reader.corrupt >= 1


@given(st.integers(-2047, 2047))
def test_sign_and_magnitude_round_trip(value: int) -> None:
    encoded = registers.HOMING_OFFSET.encode(value)
    assert registers.HOMING_OFFSET.decode(encoded) == value
    # Sign in bit 11, not two's complement.
    assert int.from_bytes(encoded, "little") == (abs(value) + (2048 if value < 0 else 0))


def test_what_does_not_fit_is_refused_with_the_register_named() -> None:
    with pytest.raises(ArmError, match=r"Homing_Offset cannot hold 2073.*11 bits"):
        registers.HOMING_OFFSET.encode(2073)
    with pytest.raises(ArmError, match="Torque_Enable cannot hold 256"):
        registers.TORQUE_ENABLE.encode(256)


def test_registers_do_not_overlap() -> None:
    taken = [a for r in registers.REGISTERS for a in range(r.address, r.address + r.size)]
    assert len(taken) == len(set(taken)) > 30


def test_fault_bits_have_names() -> None:
    assert fault_names(0) == ()
    assert fault_names(ServoFault.OVERLOAD | ServoFault.VOLTAGE) == ("voltage", "overload")
    assert fault_names(0x40) == ("bit mask 0x40",)
