// SPDX-License-Identifier: Apache-2.0
// The recording as it stands in the page: unpacked, and laid out so that what is visible is found fast.

async function unpackRecording() {
  if (typeof DecompressionStream === "undefined")
    throw new Error("This browser cannot unpack the recording; Chrome 80, Firefox 113, Safari 16.4 and later can.");
  const packed = atob(byId("recording").textContent.trim());
  const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// Times that grow are written as differences.
function summed(differences) {
  const values = new Float64Array(differences.length);
  let sum = 0;
  for (let i = 0; i < differences.length; ++i) {
    sum += differences[i];
    values[i] = sum;
  }
  return values;
}

// The first index from `low` on whose value exceeds the limit; the values ascend.
function firstAbove(values, limit, low = 0) {
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

// A lane is one row of a track: its spans do not overlap, so starts and ends both ascend.
class Model {
  constructor(data) {
    Object.assign(this, data);
    const { frames } = this;
    frames.end = summed(frames.end);
    frames.begin = frames.end.map((end, i) => end - frames.lead[i]);
    this.tracks = data.tracks.map((track) => ({ ...track, lanes: [] }));
    this.runsOfPass = data.passes.map(() => []);
    this.spanCount = 0;
    for (const packed of data.lanes) {
      const start = summed(packed.start);
      const lane = {
        track: packed.track, row: packed.row, start, end: start.map((from, i) => from + packed.length[i]),
        name: packed.name, pass: packed.pass, frame: packed.frame, count: packed.count,
      };
      this.spanCount += start.length;
      this.tracks[packed.track].lanes.push(lane);
      if (this.tracks[packed.track].kind !== "gpu") continue;
      for (let i = 0; i < start.length; ++i)
        if (lane.pass[i] >= 0) this.runsOfPass[lane.pass[i]].push({ lane, index: i });
    }
    for (const runs of this.runsOfPass) runs.sort((a, b) => a.lane.start[a.index] - b.lane.start[b.index]);
    for (const counter of this.counters) counter.time = summed(counter.time);
    this.flows = { ...data.flows, from: summed(data.flows.from), to: summed(data.flows.to) };
  }
}

// What is selected, and who wants to know. A span is {lane, index}; a pass and a frame are indices, -1 for none.
class Selection {
  constructor() {
    this.pass = -1;
    this.span = null;
    this.frame = -1;
    this.listeners = [];
  }
  onChange(listener) {
    this.listeners.push(listener);
  }
  set(change) {
    Object.assign(this, change);
    for (const listener of this.listeners) listener(this);
  }
}
