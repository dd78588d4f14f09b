"""What a wheel leaves out, which pyproject.toml cannot say."""

from __future__ import annotations

from shutil import rmtree

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildRunTime(build_py):
    """Packs what commands need: of `models` the weights and their cards, not the training, which needs a checkout."""

    def run(self) -> None:
        """Build from nothing: whatever an earlier build left would be packed as well."""
        if not self.editable_mode:
            rmtree(self.build_lib, ignore_errors=True)
        super().run()

    def find_package_modules(self, package: str, package_dir: str) -> list[tuple[str, str, str]]:
        """The modules of one package, each with its package, name and file."""
        modules: list[tuple[str, str, str]] = super().find_package_modules(package, package_dir)
        return [module for module in modules if package != "models" or module[1] == "__init__"]


setup(cmdclass={"build_py": BuildRunTime})
