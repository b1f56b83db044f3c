# SPDX-License-Identifier: Apache-2.0
"""Writes include/ and the coverage page from the table of the API; scripts/generate_headers is its command line."""
