# SPDX-License-Identifier: Apache-2.0
"""Reads a recording by docs and src/trace/format.hpp alone: what the C++ reader says can be checked against it."""
import pathlib
import struct

STAGES = ("vertex", "object", "mesh", "fragment", "compute")


class Recording:
    """records: (kind, thread, payload); commits and encoders by id; draws and groups by encoder."""

    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        magic, version, header = struct.unpack_from("<8sII", data)
        assert (magic, version, header) == (b"BSNTRACE", 1, 16), (magic, version, header)
        self.records, self.cut_off, self.strings = [], False, {0: ""}
        at = header
        while at < len(data):
            thread, size = struct.unpack_from("<II", data, at)
            chunk = data[at + 8:at + 8 + size]
            at += 8 + size
            self.cut_off |= len(chunk) < size
            inner = 0
            while inner + 8 <= len(chunk):
                kind, length = struct.unpack_from("<HH", chunk, inner)
                assert length >= 8 and length % 8 == 0, (kind, length)
                if inner + length > len(chunk):
                    break
                self.records.append((kind, thread, chunk[inner + 8:inner + length]))
                inner += length
        for _, _, payload in self.of(1):
            number, length = struct.unpack_from("<II", payload)
            assert number not in self.strings, number
            self.strings[number] = payload[8:8 + length].decode()
        self.commits = {c["id"]: c for c in map(self.commit, self.of(7))}
        self.encoders = {e["id"]: e for e in map(self.encoder, self.of(8))}
        for _, _, payload in self.of(11):
            encoder, begin, end, vertices, index, pipeline, kind = struct.unpack_from("<QQQQIIB", payload)
            self.encoders[encoder]["commands"].append({"begin": begin, "end": end, "vertices": vertices, "index": index,
                                                       "pipeline": self.strings[pipeline], "kind": kind})

    def of(self, kind):
        return [record for record in self.records if record[0] == kind]

    @property
    def complete(self):
        return bool(self.of(18))

    def commit(self, record):
        fields = struct.unpack_from("<QQIIQQQQQQIIIIIBB", record[2])
        names = ("id", "frame", "queue", "thread", "call_begin", "call_end", "gpu_begin", "gpu_end", "feedback_begin",
                 "feedback_end", "feedback_thread", "buffers", "encoders", "label", "error", "stamped", "presents")
        commit = dict(zip(names, fields))
        commit["label"], commit["error"] = self.strings[commit["label"]], self.strings[commit["error"]]
        return commit

    def encoder(self, record):
        fields = struct.unpack_from("<QQIIIIQQ5Q5QQIIIIIIIBBB", record[2])
        encoder = dict(zip(("id", "commit", "buffer", "index", "thread", "label", "encode_begin", "encode_end"), fields))
        encoder["label"] = self.strings[encoder["label"]]
        encoder["stages"] = {name: (fields[8 + i], fields[13 + i]) for i, name in enumerate(STAGES) if fields[8 + i]}
        encoder.update(zip(("vertices", "draws", "dispatches", "copies", "barriers", "width", "height", "samples", "kind"),
                           fields[18:]))
        encoder["commands"] = []
        return encoder

    def frames(self):
        """(commit, its encoders in order) by frame."""
        return [(commit, sorted((e for e in self.encoders.values() if e["commit"] == commit["id"]), key=lambda e: e["index"]))
                for commit in sorted(self.commits.values(), key=lambda c: c["frame"])]


def gpu(encoder):
    """From the first stage's begin to the last one's end, in ns of the GPU."""
    return min(b for b, _ in encoder["stages"].values()), max(e for _, e in encoder["stages"].values())
