"""Which network addresses may be called: what a number really names, whatever form it is wrapped in."""

import ipaddress
from collections.abc import Iterable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

CARRIERS = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("::ffff:0:0:0/96"))
"""NAT64 and IPv4-translated: the IPv4 address is in the last 32 bits."""
COMPATIBLE = ipaddress.IPv6Network("::/96")
NEVER = (
    ipaddress.IPv4Network("169.254.0.0/16"),  # link-local, where clouds keep their metadata
    ipaddress.IPv4Network("100.100.100.200/32"),
    ipaddress.IPv4Network("192.0.0.192/32"),
    ipaddress.IPv4Network("168.63.129.16/32"),
    ipaddress.IPv4Network("0.0.0.0/8"),
    ipaddress.IPv4Network("224.0.0.0/4"),
    ipaddress.IPv4Network("255.255.255.255/32"),
    ipaddress.IPv6Network("fd00:ec2::/32"),
    ipaddress.IPv6Network("fe80::/10"),
    ipaddress.IPv6Network("ff00::/8"),
    ipaddress.IPv6Network("::/128"),
    ipaddress.IPv6Network("64:ff9b:1::/48"),  # NAT64 of a network's own: where it hides the IPv4 address is its secret
)
"""Refused also where private addresses are allowed: nobody runs a model there."""
NOT_GLOBAL = (
    ipaddress.IPv4Network("192.0.0.0/24"),
    ipaddress.IPv6Network("fec0::/10"),
    ipaddress.IPv6Network("3fff::/20"),
    ipaddress.IPv6Network("5f00::/16"),
)
"""Special too, though some versions of `ipaddress` call them global."""


def unwrapped(address: Address) -> Address:
    """The IPv4 address inside an IPv6 form that carries one: mapped, translated, compatible, 6to4, Teredo, NAT64."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    low = int(address) & 0xFFFFFFFF
    is_compatible = address in COMPATIBLE and low > 1
    if is_compatible or _is_in(address, CARRIERS):
        return ipaddress.IPv4Address(low)
    return address


def is_private(address: Address) -> bool:
    """Whether the world cannot reach it."""
    inner = unwrapped(address)
    return not _is_global(inner) or _is_in(inner, NEVER)


def _is_global(address: Address) -> bool:
    return address.is_global and not _is_in(address, NOT_GLOBAL)


def _is_in(address: Address, networks: Iterable[ipaddress.IPv4Network | ipaddress.IPv6Network]) -> bool:
    return any(address.version == network.version and address in network for network in networks)


def may_connect(text: str, *, allow_private: bool) -> bool:
    """Whether this very address may be connected to; `text` is what a resolver gave."""
    try:
        address = unwrapped(ipaddress.ip_address(text.partition("%")[0]))
    except ValueError:
        return False
    if _is_in(address, NEVER):
        return False
    return allow_private or _is_global(address)
