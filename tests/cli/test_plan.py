from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import refused, run
from tests.search.library import CHIP, svd


@pytest.fixture
def chip(tmp_path: Path) -> Path:
    path = tmp_path / "chip.svd"
    path.write_text(svd("STM32F410", *CHIP))
    return path


def test_a_peripheral_by_its_name(chip: Path) -> None:
    said = run("plan", "USART2", "--svd", chip).stdout
    assert said.startswith("STM32F410  USART2")
    clock = next(line for line in said.splitlines() if "Clock" in line)
    assert clock.split()[:5] == ["1.", "Clock", "RCC.APB1ENR.USART2EN", "17", "0x40023840"]
    assert "USART2.BRR" in said and "rules: rcc-enable" in said


def test_an_aim_in_words_as_json(chip: Path) -> None:
    done = run("plan", "configure", "USART2 at 9600 baud", "--svd", chip, "--json")
    plan = json.loads(done.stdout)
    assert plan["device"] == "STM32F410" and plan["goals"] == ["USART2: baud rate"]
    step = next(step for step in plan["steps"] if step["kind"] == "clock")
    assert step["register"] == "RCC.APB1ENR" and step["field"] == "USART2EN"
    assert step["address"] == 0x40023840 and step["bits"] == [17, 17]
    assert step["source"] == "rule:rcc-enable" and 0.9 < step["confidence"] <= 1


def test_what_means_nothing_is_told(chip: Path) -> None:
    said = refused("plan", "bake a cake", "--svd", chip)
    assert "'bake a cake'" in said and "STM32F410" in said


def test_a_peripheral_that_is_not_there_is_told(chip: Path) -> None:
    said = refused("plan", "USART7 at 9600 baud", "--svd", chip)
    assert "STM32F410 has no USART7." in said
