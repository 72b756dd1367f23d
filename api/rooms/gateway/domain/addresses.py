"""Which network addresses may be called: what a number really names, whatever form it is wrapped in."""

import ipaddress

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

NAT64 = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("64:ff9b:1::/48"))
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
)
"""Refused also where private addresses are allowed: nobody runs a model there."""


def unwrapped(address: Address) -> Address:
    """The IPv4 address inside an IPv6 form that carries one: mapped, compatible, 6to4, Teredo, NAT64."""
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
    if is_compatible or any(address in network for network in NAT64):
        return ipaddress.IPv4Address(low)
    return address


def is_private(address: Address) -> bool:
    """Whether the world cannot reach it."""
    inner = unwrapped(address)
    return not inner.is_global or _is_never(inner)


def _is_never(address: Address) -> bool:
    return any(address.version == network.version and address in network for network in NEVER)


def may_connect(text: str, *, allow_private: bool) -> bool:
    """Whether this very address may be connected to; `text` is what a resolver gave."""
    try:
        address = unwrapped(ipaddress.ip_address(text.partition("%")[0]))
    except ValueError:
        return False
    if _is_never(address):
        return False
    return allow_private or address.is_global
