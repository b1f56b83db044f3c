// SPDX-License-Identifier: Apache-2.0
// What stands around the plots: tiles, details of the selection, warnings, overlap, facts.

function showTiles(model) {
  const tile = (label, value, unit, more, isSlow) => {
    const made = element("div", { className: isSlow ? "tile slow" : "tile" },
      element("div", { className: "label" }, label), element("div", { className: "value" }, value));
    if (unit) made.lastChild.append(element("small", {}, unit));
    made.append(element("div", { className: "more" }, more));
    return made;
  };
  const split = (ns) => timeText(ns).split(" ");
  const { tiles } = model;
  byId("tiles").replaceChildren(
    tile("Frames", countText(tiles.frames), "", `in ${timeText(model.length)}`),
    tile("Frame time, median", ...split(model.medianFrame), `95 % below ${timeText(tiles.frameP95)}`),
    tile("GPU time, median", ...split(tiles.gpuMedian), `95 % below ${timeText(tiles.gpuP95)}`),
    tile("GPU busy", percentText(tiles.gpuBusy), "", `at the same time as the CPU ${percentText(tiles.both)}`),
    tile("Slow frames", countText(tiles.slow), "", `above ${timeText(model.slowLimit)}, 1.5 × the median`, tiles.slow > 0),
    tile("Warnings", countText(model.warnings.length), "", model.warnings.length ? "see below" : "nothing stands out", model.warnings.length > 0),
  );
}

function showNotes(model) {
  byId("notes").replaceChildren(...model.notes.map((note) => element("p", { className: "notice" }, note)));
}

function fact(label, value) {
  return element("span", {}, `${label} `, element("b", {}, value));
}

// Of the selected span, and of its pass.
function showDetails(model, selection) {
  const box = byId("details"), { span, pass } = selection;
  box.hidden = !span && pass < 0;
  if (box.hidden) return;
  const parts = [];
  if (span) {
    const { lane, index } = span, track = model.tracks[lane.track], name = model.names[lane.name[index]];
    parts.push(element("strong", {}, swatch(lane.pass[index] >= 0 ? passColor(lane.pass[index]) : pageColor("--cpu")), name));
    parts.push(element("span", { className: "quiet" }, `${track.group}, ${track.name}`));
    parts.push(fact("took", timeText(lane.end[index] - lane.start[index])), fact("from", timeText(lane.start[index])));
    if (lane.frame[index] >= 0) parts.push(fact("frame", countText(lane.frame[index])));
    if (lane.count[index] > 1) parts.push(fact("stands for", `${countText(lane.count[index])} events`));
  } else parts.push(element("strong", {}, swatch(passColor(pass)), model.passes[pass].name));
  if (pass >= 0) {
    const about = model.passes[pass];
    parts.push(element("span", { className: "quiet" }, "each frame"));
    parts.push(fact("median", timeText(about.median)), fact("p95", timeText(about.p95)), fact("max", timeText(about.max)));
    for (const [stage, ns] of about.stages) parts.push(fact(stage, timeText(ns)));
  }
  box.replaceChildren(...parts);
}

function showWarnings(model, selection, frames) {
  const entry = (warning) => {
    const text = element("div", {}, element("strong", {}, warning.title), warning.text);
    const made = element("li", {}, text);
    if (warning.frame >= 0) {
      const button = element("button", { type: "button", "aria-label": `Show: ${warning.title}` }, "Show");
      button.addEventListener("click", () => {
        selection.set({ pass: warning.pass, span: null });
        frames.show(warning.frame);
        byId("timeline").scrollIntoView({ block: "nearest" });
      });
      made.append(button);
    }
    return made;
  };
  const none = element("li", { className: "none" }, element("div", {}, "Nothing stands out."));
  byId("warnings").replaceChildren(...(model.warnings.length ? model.warnings.map(entry) : [none]));
}

function showOverlap(model) {
  const { overlap } = model, whole = Math.max(overlap.both + overlap.gpu + overlap.cpu + overlap.neither, 1);
  const parts = [
    ["both work", overlap.both, "--both"], ["only the GPU", overlap.gpu, "--gpu"],
    ["only the CPU", overlap.cpu, "--cpu"], ["neither", overlap.neither, "--wait"],
  ];
  const stack = element("div", { className: "stack", role: "img",
    "aria-label": parts.map(([name, ns]) => `${name} ${percentText(ns / whole)}`).join(", ") });
  const legend = element("ul", { className: "legend" });
  for (const [name, ns, color] of parts) {
    if (ns <= 0) continue;
    const bar = element("i");
    bar.style.cssText = `flex: ${ns / whole}; background: var(${color})`;
    stack.append(bar);
    const mark = element("i");
    mark.style.background = `var(${color})`;
    legend.append(element("li", {}, mark, `${name} ${percentText(ns / whole)}`));
  }
  byId("overlap").replaceChildren(stack, legend);
}

function showFacts(model) {
  byId("facts").replaceChildren(...model.facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}
