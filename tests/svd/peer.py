"""Run by another interpreter: the registers of an SVD file as a peer parser sees them, as JSON.

``peer.py cmsis_svd|svdsuite FILE`` prints [[peripheral, absolute address, size in bits], ...].
"""

from __future__ import annotations

import json
import sys
import warnings


def cmsis_svd(path: str) -> set[tuple[str, int, int]]:
    from cmsis_svd import SVDParser

    device = SVDParser.for_xml_file(path).get_device()
    return {
        (peripheral.name, peripheral.base_address + register.address_offset, register.size)
        for peripheral in device.get_peripherals()
        for register in peripheral.get_registers()
    }


def svdsuite(path: str) -> set[tuple[str, int, int]]:
    from svdsuite.process import Process

    device = Process.from_svd_file(path).get_processed_device()
    return {
        (peripheral.name, register.base_address, register.size)
        for peripheral in device.peripherals
        for register in peripheral.registers
    }


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    stdout, sys.stdout = sys.stdout, sys.stderr
    found = {"cmsis_svd": cmsis_svd, "svdsuite": svdsuite}[sys.argv[1]](sys.argv[2])
    json.dump(sorted(found), stdout)
