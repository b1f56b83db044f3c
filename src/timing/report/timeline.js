// SPDX-License-Identifier: Apache-2.0
// The timeline: tracks of spans over time, which move and zoom.

const rowHeight = 19, spanHeight = 16, groupHeight = 22, trackGap = 6, counterHeight = 34;
const shortestView = 50; // ns
const thinnestSpan = 1.5; // pixels

class Timeline {
  constructor(model, selection) {
    this.model = model;
    this.selection = selection;
    this.lanes = byId("lanes");
    this.axis = byId("axis");
    this.closedGroups = new Set();
    this.from = 0;
    this.to = Math.max(model.length, shortestView);
    this.onView = () => {};
    this.listen();
    this.layOut();
    selection.onChange(() => this.requestDraw());
  }

  // Where each track stands, from the top; and the names beside them.
  layOut() {
    const gutter = byId("gutter");
    gutter.replaceChildren();
    this.boxes = [];
    let y = 0, group = null;
    const place = (made, height) => {
      made.style.top = `${y}px`;
      made.style.height = `${height}px`;
      made.style.lineHeight = `${height}px`;
      gutter.append(made);
    };
    this.model.tracks.forEach((track, index) => {
      if (track.group !== group) {
        group = track.group;
        const name = group;
        const button = element("button", { type: "button", title: name, "aria-expanded": String(!this.closedGroups.has(name)) }, name);
        button.addEventListener("click", () => {
          if (!this.closedGroups.delete(name)) this.closedGroups.add(name);
          this.layOut();
          this.requestDraw();
          [...gutter.querySelectorAll("button")].find((other) => other.textContent === name)?.focus();
        });
        place(button, groupHeight);
        this.boxes.push({ y, height: groupHeight });
        y += groupHeight;
      }
      if (this.closedGroups.has(group)) return;
      const height = track.kind === "counter" ? counterHeight + trackGap : track.rows * rowHeight + trackGap;
      place(element("span", { title: track.name }, track.name), rowHeight + trackGap);
      this.boxes.push({ y, height, track, index });
      y += height;
    });
    this.height = Math.max(y, 60);
    gutter.style.height = `${this.height}px`;
  }

  requestDraw() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.draw();
    });
  }

  x(ns) {
    return ((ns - this.from) / (this.to - this.from)) * this.width;
  }

  setView(from, to) {
    const whole = Math.max(this.model.length, shortestView);
    const length = Math.min(Math.max(to - from, shortestView), whole);
    this.from = Math.max(0, Math.min(from + (to - from - length) / 2, whole - length));
    this.to = this.from + length;
    this.requestDraw();
    this.onView();
  }

  // Moves there in a few steps, or at once for those who do not want motion.
  glideTo(from, to) {
    cancelAnimationFrame(this.gliding);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.setView(from, to);
    const startFrom = this.from, startTo = this.to, began = performance.now();
    const step = (now) => {
      const part = Math.min(1, Math.max(0, (now - began) / 160)), eased = 1 - (1 - part) ** 3;
      this.setView(startFrom + (from - startFrom) * eased, startTo + (to - startTo) * eased);
      if (part < 1) this.gliding = requestAnimationFrame(step);
    };
    this.gliding = requestAnimationFrame(step);
  }

  zoom(factor, around = (this.from + this.to) / 2) {
    cancelAnimationFrame(this.gliding);
    this.setView(around - (around - this.from) * factor, around + (this.to - around) * factor);
  }

  move(part) {
    cancelAnimationFrame(this.gliding);
    const by = (this.to - this.from) * part;
    this.setView(this.from + by, this.to + by);
  }

  showSpan({ lane, index }) {
    const length = lane.end[index] - lane.start[index], margin = Math.max(length, shortestView) * 1.5;
    this.glideTo(lane.start[index] - margin, lane.end[index] + margin);
  }

  draw() {
    const { context, width } = prepareCanvas(this.lanes, this.height);
    this.width = width;
    this.drawGrid(context);
    for (const box of this.boxes) {
      if (!box.track) {
        context.fillStyle = pageColor("--group");
        context.fillRect(0, box.y, width, box.height);
      } else if (box.track.kind === "counter") this.drawCounter(context, box);
      else for (const lane of box.track.lanes) this.drawLane(context, box, lane);
    }
    this.drawFlows(context);
    byId("range").textContent = `${timeText(this.to - this.from)} from ${timeText(this.from)}`;
  }

  // Ticks at steps of 1, 2 or 5 times a power of ten; frames where they have room.
  drawGrid(context) {
    const axis = prepareCanvas(this.axis, 30), length = this.to - this.from;
    const rough = (length / Math.max(this.width, 1)) * 110, power = 10 ** Math.floor(Math.log10(rough));
    const step = Math.max(1, [1, 2, 5, 10].find((factor) => factor * power >= rough) * power);
    axis.context.fillStyle = pageColor("--quiet");
    context.fillStyle = pageColor("--grid");
    for (let tick = Math.ceil(this.from / step) * step; tick <= this.to; tick += step) {
      const x = Math.round(this.x(tick));
      context.fillRect(x, 0, 1, this.height);
      axis.context.fillRect(x, 24, 1, 6);
      axis.context.textAlign = x < 24 ? "left" : x > this.width - 24 ? "right" : "center";
      axis.context.fillText(this.tickText(tick, step), Math.max(2, Math.min(x, this.width - 2)), 18);
    }
    const { frames } = this.model;
    let lastText = -100, lastLine = -100;
    for (let i = Math.max(0, firstAbove(frames.end, this.from) - 1); i < frames.end.length; ++i) {
      const start = frames.end[i] - frames.period[i];
      if (start > this.to) break;
      const x = Math.round(this.x(start)), room = this.x(frames.end[i]) - x;
      if (x - lastLine >= 6) {
        context.fillStyle = pageColor("--frame");
        context.fillRect(x, 0, 1, this.height);
        lastLine = x;
      }
      if (x < -room || x - lastText < 64 || room < 12) continue;
      axis.context.textAlign = "left";
      axis.context.fillStyle = pageColor(frames.slow[i] ? "--slow" : "--accent");
      axis.context.fillText(`frame ${countText(frames.number[i])}`, Math.max(x, 2), 7);
      lastText = Math.max(x, 0);
    }
  }

  tickText(ns, step) {
    const [unit, scale] = step >= 1e9 ? ["s", 1e9] : step >= 1e6 ? ["ms", 1e6] : step >= 1e3 ? ["µs", 1e3] : ["ns", 1];
    return `${countText(Math.round(ns / scale))} ${unit}`;
  }

  spanColor(lane, index, track) {
    if (lane.pass[index] >= 0) return passColor(lane.pass[index]);
    return pageColor(this.model.waits.includes(lane.name[index]) ? "--wait" : track.kind === "group" ? "--frame" : "--cpu");
  }

  // Spans that share a pixel are drawn once, so the work is bounded by the width, not by their number.
  drawLane(context, box, lane) {
    const y = box.y + trackGap / 2 + lane.row * rowHeight + (rowHeight - spanHeight) / 2, selected = this.selection;
    const perPixel = (this.to - this.from) / this.width;
    for (let i = firstAbove(lane.end, this.from); i < lane.start.length && lane.start[i] < this.to; ) {
      const left = Math.max(this.x(lane.start[i]), -4), right = Math.min(this.x(lane.end[i]), this.width + 4);
      const wide = Math.max(right - left, thinnestSpan);
      const isSpan = selected.span && selected.span.lane === lane && selected.span.index === i;
      context.globalAlpha = selected.pass < 0 || lane.pass[i] === selected.pass || isSpan ? 1 : 0.28;
      context.fillStyle = this.spanColor(lane, i, box.track);
      if (wide > 6) {
        context.beginPath();
        context.roundRect(left, y, wide - 1, spanHeight, 3);
        context.fill();
      } else context.fillRect(left, y, wide, spanHeight);
      if (lane.count[i] > 1 && wide > 6) this.hatch(context, left, y, wide - 1);
      if (isSpan) {
        context.globalAlpha = 1;
        context.strokeStyle = pageColor("--text");
        context.lineWidth = 2;
        context.strokeRect(left, y, Math.max(wide - 1, 2), spanHeight);
      }
      if (wide > 34) {
        const isPale = lane.pass[i] < 0 && (this.model.waits.includes(lane.name[i]) || box.track.kind === "group");
        context.fillStyle = isPale ? pageColor("--text") : "#ffffff";
        context.textAlign = "left";
        const from = Math.max(left, 0) + 5;
        const text = this.fitted(context, this.nameOf(lane, i), Math.min(right, this.width) - from - 4);
        if (text) context.fillText(text, from, y + spanHeight / 2 + 0.5);
      }
      if (wide > thinnestSpan) ++i;
      else i = Math.max(i + 1, firstAbove(lane.end, lane.start[i] + perPixel * thinnestSpan, i));
    }
    context.globalAlpha = 1;
  }

  // Marks a block that stands for many spans.
  hatch(context, x, y, width) {
    context.save();
    context.beginPath();
    context.rect(x, y, width, spanHeight);
    context.clip();
    context.strokeStyle = "rgba(255, 255, 255, 0.28)";
    context.lineWidth = 1.5;
    context.beginPath();
    for (let at = x - spanHeight; at < x + width; at += 8) {
      context.moveTo(at, y + spanHeight);
      context.lineTo(at + spanHeight, y);
    }
    context.stroke();
    context.restore();
  }

  fitted(context, text, room) {
    if (room < 14) return "";
    const advance = 6.1;
    if (text.length * advance <= room || context.measureText(text).width <= room) return text;
    const fitting = Math.floor(room / advance) - 1;
    return fitting < 2 ? "" : `${text.slice(0, fitting)}…`;
  }

  drawCounter(context, box) {
    const counter = this.model.counters[box.track.counter], base = box.y + counterHeight + trackGap / 2;
    const y = (value) => base - (value / Math.max(counter.most, 1)) * (counterHeight - 4);
    context.beginPath();
    context.moveTo(0, base);
    const first = Math.max(0, firstAbove(counter.time, this.from) - 1);
    let previous = 0;
    for (let i = first; i < counter.time.length; ++i) {
      const x = Math.max(this.x(counter.time[i]), 0);
      context.lineTo(x, y(previous));
      previous = counter.value[i];
      context.lineTo(x, y(previous));
      if (counter.time[i] > this.to) break;
    }
    context.lineTo(this.width, y(previous));
    context.lineTo(this.width, base);
    context.fillStyle = pageColor("--window");
    context.fill();
    context.strokeStyle = pageColor("--accent");
    context.lineWidth = 1;
    context.stroke();
  }

  // From a commit's call to its work: those of what is selected, and all while they are few.
  drawFlows(context) {
    const { flows } = this.model, first = Math.max(0, firstAbove(flows.from, this.from) - 8);
    const visible = [];
    for (let i = first; i < flows.from.length && flows.from[i] < this.to && visible.length < 60; ++i)
      if (flows.to[i] > this.from) visible.push(i);
    if (visible.length >= 40) return;
    const middle = (track, row) => {
      const box = this.boxes.find((candidate) => candidate.index === track);
      return box && box.y + trackGap / 2 + row * rowHeight + rowHeight / 2;
    };
    context.strokeStyle = context.fillStyle = pageColor("--accent");
    context.lineWidth = 1.2;
    context.globalAlpha = 0.65;
    for (const i of visible) {
      const fromY = middle(flows.fromTrack[i], flows.fromRow[i]), toY = middle(flows.toTrack[i], flows.toRow[i]);
      if (fromY === undefined || toY === undefined) continue;
      const fromX = this.x(flows.from[i]), toX = this.x(flows.to[i]), bend = Math.min(60, Math.abs(toX - fromX) / 2 + 12);
      context.beginPath();
      context.moveTo(fromX, fromY);
      context.bezierCurveTo(fromX + bend, fromY, toX - bend, toY, toX, toY);
      context.stroke();
      context.beginPath();
      context.moveTo(toX, toY);
      context.lineTo(toX - 6, toY - 3.5);
      context.lineTo(toX - 6, toY + 3.5);
      context.fill();
    }
    context.globalAlpha = 1;
  }

  nameOf(lane, index) {
    const name = this.model.names[lane.name[index]];
    return lane.count[index] > 1 ? `${countText(lane.count[index])} × mostly ${name}` : name;
  }

  spanAt(event) {
    const place = this.lanes.getBoundingClientRect(), x = event.clientX - place.left, y = event.clientY - place.top;
    const box = this.boxes.find((candidate) => candidate.track && y >= candidate.y && y < candidate.y + candidate.height);
    if (!box) return null;
    const slack = ((this.to - this.from) / this.width) * 2, ns = this.from + (x / this.width) * (this.to - this.from);
    if (box.track.kind === "counter") return { counter: this.model.counters[box.track.counter], ns };
    const row = Math.floor((y - box.y - trackGap / 2) / rowHeight);
    for (const lane of box.track.lanes) {
      if (lane.row !== row) continue;
      const index = firstAbove(lane.end, ns - slack);
      if (index < lane.start.length && lane.start[index] <= ns + slack) return { lane, index };
    }
    return null;
  }

  tooltipOf(hit) {
    if (hit.counter) {
      const index = firstAbove(hit.counter.time, hit.ns) - 1;
      return `${hit.counter.name}: ${bytesText(index < 0 ? 0 : hit.counter.value[index])}`;
    }
    const { lane, index } = hit, track = this.model.tracks[lane.track];
    let text = `${this.nameOf(lane, index)}\n${track.group}, ${track.name}\n${timeText(lane.end[index] - lane.start[index])}`;
    if (lane.frame[index] >= 0) text += `, frame ${countText(lane.frame[index])}`;
    if (lane.count[index] > 1) text += "\nToo many to keep each: merged when the report was written.";
    return text;
  }

  listen() {
    const canvas = this.lanes;
    let drag = null;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      cancelAnimationFrame(this.gliding);
      drag = { x: event.clientX, from: this.from, to: this.to, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (drag) {
        const pixels = event.clientX - drag.x;
        if (Math.abs(pixels) > 3) drag.moved = true;
        if (!drag.moved) return;
        canvas.classList.add("dragging");
        tooltip.hide();
        const by = (pixels / this.width) * (drag.to - drag.from);
        return this.setView(drag.from - by, drag.to - by);
      }
      const hit = this.spanAt(event);
      canvas.style.cursor = hit && hit.lane ? "pointer" : "";
      if (hit) tooltip.show(event, this.tooltipOf(hit));
      else tooltip.hide();
    });
    canvas.addEventListener("pointerleave", () => tooltip.hide());
    canvas.addEventListener("pointercancel", () => (drag = null));
    canvas.addEventListener("pointerup", (event) => {
      canvas.classList.remove("dragging");
      if (drag && !drag.moved) this.select(this.spanAt(event));
      drag = null;
    });
    canvas.addEventListener("dblclick", (event) => {
      const hit = this.spanAt(event);
      if (hit && hit.lane) this.showSpan(hit);
    });
    canvas.addEventListener("wheel", (event) => {
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.shiftKey ? event.deltaY : 0;
      if (sideways) {
        event.preventDefault();
        return this.move(sideways / this.width);
      }
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;
      event.preventDefault();
      const place = canvas.getBoundingClientRect(), part = (event.clientX - place.left) / this.width;
      this.zoom(Math.exp(Math.max(-120, Math.min(120, event.deltaY)) * 0.004), this.from + part * (this.to - this.from));
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.requestDraw()).observe(canvas.parentElement);
  }

  select(hit) {
    if (!hit || !hit.lane) return this.selection.set({ pass: -1, span: null });
    const { lane, index } = hit;
    this.selection.set({ span: hit, pass: lane.pass[index] });
    announce(`${this.nameOf(lane, index)}, ${timeText(lane.end[index] - lane.start[index])}, selected`);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = {
      ArrowLeft: () => this.move(-0.2), ArrowRight: () => this.move(0.2), a: () => this.move(-0.2), d: () => this.move(0.2),
      "+": () => this.zoom(0.6), "=": () => this.zoom(0.6), "-": () => this.zoom(1 / 0.6), w: () => this.zoom(0.6), s: () => this.zoom(1 / 0.6),
      0: () => this.glideTo(0, this.model.length), Home: () => this.setView(0, this.to - this.from),
      End: () => this.setView(this.model.length - (this.to - this.from), this.model.length),
      n: () => this.stepRun(1), p: () => this.stepRun(-1), "]": () => this.onFrameStep(1), "[": () => this.onFrameStep(-1),
      Escape: () => this.select(null),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  // The next or previous run of the selected pass (of any pass where none is), which is selected and shown.
  stepRun(step) {
    const { pass, span } = this.selection;
    const runs = this.model.runsOfPass[pass >= 0 ? pass : 0] || [];
    if (runs.length === 0) return;
    const at = span ? span.lane.start[span.index] : (this.from + this.to) / 2;
    const same = span ? runs.findIndex((run) => run.lane === span.lane && run.index === span.index) : -1;
    const next = same >= 0 ? same + step
      : step > 0 ? runs.findIndex((run) => run.lane.start[run.index] >= at)
      : runs.findLastIndex((run) => run.lane.start[run.index] < at);
    const found = runs[Math.max(0, Math.min(next < 0 ? (step > 0 ? runs.length - 1 : 0) : next, runs.length - 1))];
    this.select(found);
    this.showSpan(found);
  }
}
