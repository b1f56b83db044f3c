# SPDX-License-Identifier: Apache-2.0
"""Reads a PNG file of 8 bits a channel without interlacing, as the examples write them."""

import struct
import zlib


class Picture:
    """Pixels by picture[x, y] as (red, green, blue), each 0 to 255."""

    def __init__(self, path):
        data = open(path, "rb").read()
        if data[:8] != b"\x89PNG\r\n\x1a\n":
            raise ValueError(f"{path} is no PNG file")
        at, packed = 8, b""
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + length]
            if zlib.crc32(kind + body) != struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]:
                raise ValueError(f"{path}: the chunk {kind} is damaged")
            if kind == b"IHDR":
                self.width, self.height, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", body)
                if depth != 8 or color not in (2, 6) or interlace:
                    raise ValueError(f"{path}: {depth} bits, colour type {color}, interlacing {interlace} are not read here")
                self._step = 3 if color == 2 else 4
            elif kind == b"IDAT":
                packed += body
            at += 12 + length
        self._rows = self._unfiltered(zlib.decompress(packed))

    def __getitem__(self, place):
        x, y = place
        return tuple(self._rows[y][x * self._step:x * self._step + 3])

    def _unfiltered(self, raw):
        stride, step = self.width * self._step, self._step
        rows, above = [], bytearray(stride)
        for y in range(self.height):
            at = y * (stride + 1)
            method, row = raw[at], bytearray(raw[at + 1:at + 1 + stride])
            for i in range(stride):
                left = row[i - step] if i >= step else 0
                corner = above[i - step] if i >= step else 0
                if method == 1:
                    row[i] = (row[i] + left) & 255
                elif method == 2:
                    row[i] = (row[i] + above[i]) & 255
                elif method == 3:
                    row[i] = (row[i] + (left + above[i]) // 2) & 255
                elif method == 4:
                    row[i] = (row[i] + _nearest(left, above[i], corner)) & 255
            rows.append(row)
            above = row
        return rows


def _nearest(left, above, corner):
    """The neighbour that is nearest to left + above - corner; ties go to the one named first."""
    guess = left + above - corner
    return min((left, above, corner), key=lambda value: abs(guess - value))
