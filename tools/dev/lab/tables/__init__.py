# SPDX-License-Identifier: MIT
"""The tables of accuracy.py: each measures one scenario at a time, and makes one section of the page of all."""
