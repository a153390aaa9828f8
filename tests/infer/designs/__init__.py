# SPDX-License-Identifier: MIT
"""Designs of our own with known truth; importing this knows them all."""

from . import keys, relations, types  # noqa: F401
from .kit import DESIGNS, write  # noqa: F401
