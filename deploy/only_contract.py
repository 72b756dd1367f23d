"""A border for import-linter: these packages import only what is listed.

import-linter's own contracts forbid names; a pure package is described better by what it may have, since the list of
what it may not have grows with every dependency.
"""

import sys

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output
from importlinter.domain.helpers import module_expressions_to_modules

# Standard modules that look at the world or change it: a rule gets clock, randomness and environment as arguments.
# urllib stays, for urllib.parse: the graph sees only top-level names (ruff bans urllib.request by itself).
WORLDLY = {
    "asyncio", "concurrent", "ctypes", "ftplib", "http", "importlib", "io", "multiprocessing", "os", "random", "runpy",
    "sched", "secrets", "select", "selectors", "shutil", "signal", "smtplib", "socket", "socketserver", "sqlite3",
    "ssl", "subprocess", "sys", "tempfile", "threading", "time", "webbrowser",
}  # fmt: skip
GROUPS = {
    "@stdlib": set(sys.stdlib_module_names),
    "@pure": set(sys.stdlib_module_names) - WORLDLY,
}


class OnlyContract(Contract):
    """Every direct import of `source_modules` leads into them or into `allowed_modules` (names, @stdlib, @pure)."""

    type_name = "only"

    source_modules = fields.SetField(subfield=fields.ModuleExpressionField())
    allowed_modules = fields.SetField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002, FBT001 - the base class's
        """Collect the imports that lead elsewhere."""
        sources = {module.name for module in module_expressions_to_modules(graph, self.source_modules)}  # type: ignore[arg-type]
        inside = sources | {below for source in sources for below in graph.find_descendants(source)}
        allowed = expand(self.allowed_modules)  # type: ignore[arg-type]
        strays = sorted(
            f"{importer} -> {imported}"
            for importer in inside
            for imported in graph.find_modules_directly_imported_by(importer)
            if imported not in inside and not is_within(imported, allowed)
        )
        return ContractCheck(kept=not strays, metadata={"strays": strays})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print each import that leads elsewhere."""
        for stray in check.metadata["strays"]:
            output.print_error(f"- {stray}")
        output.new_line()


def expand(names: set[str]) -> set[str]:
    """The names, with each group replaced by its members."""
    return {member for name in names for member in GROUPS.get(name, {name})}


def is_within(module: str, packages: set[str]) -> bool:
    """Whether `module` is one of `packages` or lies in one."""
    parts = module.split(".")
    return any(".".join(parts[:n]) in packages for n in range(1, len(parts) + 1))
