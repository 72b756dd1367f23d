"""A reason not to go on that a person can act on."""


class Refusal(Exception):
    """One sentence that names what is wrong and what to do about it."""


class Stopped(Exception):
    """The person asked to stop while something was still being waited for."""
