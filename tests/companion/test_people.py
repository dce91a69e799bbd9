"""Joining, roles, and who is the host when."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.people import MOST_DEVICES, People, Role
from companion.refusals import RefusalError
from companion.storage import DataFolder


@pytest.fixture
def people(tmp_path: Path) -> People:
    return People(DataFolder(tmp_path))


def again(people: People) -> People:
    """The people as the next start of the server knows them."""
    return People(people._folder)


def test_the_tokens_have_128_bits_and_differ(people: People) -> None:
    assert len(bytes.fromhex(people.join_token)) == 16
    assert len(bytes.fromhex(people.host_token)) == 16
    assert people.join_token != people.host_token


@pytest.mark.parametrize("token", ["", "0" * 32, "../../etc", "ä" * 16, "\0"])
def test_a_wrong_token_lets_nobody_in(people: People, token: str) -> None:
    with pytest.raises(RefusalError, match="scan the QR code"):
        people.join(token)


def test_the_first_who_joins_to_play_is_the_host(people: People) -> None:
    tv, _ = people.join(people.join_token, "TV", viewer=True)
    ann, _ = people.join(people.join_token, "Ann")
    ben, _ = people.join(people.join_token, "Ben")
    assert [people.role(device) for device in (tv, ann, ben)] == [Role.VIEWER, Role.HOST, Role.PLAYER]


def test_keys_are_remembered_across_a_restart_and_never_stored(people: People, tmp_path: Path) -> None:
    device, key = people.join(people.join_token, "Ann")
    assert key not in (tmp_path / "people.json").read_text()
    after = again(people)
    found = after.identify(key)
    assert found is not None
    assert (found.id, found.name, after.role(found)) == (device.id, "Ann", Role.HOST)
    assert after.join_token == people.join_token
    assert after.identify("0" * 32) is None


def test_a_device_that_scans_again_stays_who_it_is(people: People) -> None:
    first, key = people.join(people.join_token, "Ann")
    second, same = people.join(people.join_token, key=key)
    assert (second.id, same) == (first.id, key)


def test_the_role_is_handed_over_for_the_evening_and_comes_back(people: People) -> None:
    ann, key_of_ann = people.join(people.join_token, "Ann")
    ben, key_of_ben = people.join(people.join_token, "Ben")
    people.hand_over(ben)
    assert (people.role(ann), people.role(ben)) == (Role.PLAYER, Role.HOST)
    after = again(people)
    assert after.role(after.identify(key_of_ann) or ann) is Role.HOST
    assert after.role(after.identify(key_of_ben) or ben) is Role.PLAYER


def test_the_host_link_makes_a_host(people: People) -> None:
    people.join(people.join_token, "Ann")
    laptop, _ = people.join(people.host_token, "Laptop")
    assert people.role(laptop) is Role.HOST


def test_new_links_forget_everybody(people: People) -> None:
    _, key = people.join(people.join_token, "Ann")
    renewed = People(people._folder, renew=True)
    assert renewed.identify(key) is None
    with pytest.raises(RefusalError):
        renewed.join(people.join_token)


def test_only_named_players_decide_beside_the_host(people: People) -> None:
    ann, _ = people.join(people.join_token)
    ben, _ = people.join(people.join_token)
    tv, _ = people.join(people.join_token, viewer=True)
    people.set_decider(ben, True)
    people.set_decider(tv, True)
    assert [people.may_decide(device) for device in (ann, ben, tv)] == [True, True, False]


def test_a_seat_follows_its_players_name(people: People) -> None:
    ann, _ = people.join(people.join_token)
    people.sit(ann, "Ann")
    assert people.you(ann, ("Ben", "Ann"))["seat"] == 1
    assert people.you(ann, ("Ben", "Cem"))["seat"] is None


def test_who_was_away_longest_makes_room(people: People) -> None:
    first, _ = people.join(people.join_token)
    people._save = lambda: None  # type: ignore[method-assign]  # 500 files are not the point
    second, _ = people.join(people.join_token)
    for _ in range(MOST_DEVICES):
        people.join(people.join_token)
    assert people.find(first.id) is not None, "the host is kept"
    assert people.find(second.id) is None


def test_a_damaged_file_costs_the_devices_and_nothing_more(people: People, tmp_path: Path) -> None:
    people.join(people.join_token)
    (tmp_path / "people.json").write_text(
        '{"devices": [{"id": "1", "role": "emperor"}, 3], "host": "1", "join_token": 5}'
    )
    after = again(people)
    device, _ = after.join(after.join_token)
    assert after.role(device) is Role.HOST


@given(st.text(max_size=100))
def test_names_are_one_short_printable_line(name: str) -> None:
    from companion.people import _clean
    from companion.set_up import without_joiners

    cleaned = _clean(name)
    assert len(cleaned) <= 40
    assert "\n" not in cleaned
    assert without_joiners(cleaned).isprintable()
