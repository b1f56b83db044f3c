// SPDX-License-Identifier: Apache-2.0
// The plot of frame times: slow frames marked, the timeline's view shaded.

class FramePlot {
  constructor(model, selection, timeline) {
    this.model = model;
    this.selection = selection;
    this.timeline = timeline;
    this.canvas = byId("frames");
    this.listen();
    this.showLegend();
    selection.onChange(() => this.requestDraw());
    new ResizeObserver(() => this.requestDraw()).observe(this.canvas);
  }

  showLegend() {
    const entries = [["--gpu", "GPU busy"], ["--frame", "rest of the frame"], ["--slow", "slow frame ▾"]];
    byId("frames-legend").replaceChildren(
      ...entries.map(([color, text]) => {
        const mark = element("i");
        mark.style.background = `var(${color})`;
        return element("li", {}, mark, text);
      }),
    );
  }

  requestDraw() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.draw();
    });
  }

  // Frames share columns when there are more than pixels; the longest is shown.
  draw() {
    const { context, width, height } = prepareCanvas(this.canvas, 128), { frames } = this.model;
    const count = frames.period.length, bottom = height - 2, left = 0;
    this.width = width;
    if (count === 0) return;
    // One frame of a second must not flatten all others: the scale ends at four medians or the 99th percentile.
    const sorted = Float64Array.from(frames.period).sort();
    const most = Math.max(sorted[count - 1], 1), usual = Math.max(sorted[Math.floor((count - 1) * 0.99)], 4 * this.model.medianFrame, 1);
    this.top = Math.min(most, usual) * 1.12;
    const y = (ns) => bottom - (Math.min(ns, this.top) / this.top) * (height - 18);
    const columns = Math.min(count, Math.max(1, Math.floor(width / 2))), columnWidth = (width - left) / columns;
    const gap = columnWidth > 5 ? 1 : 0;
    for (let column = 0; column < columns; ++column) {
      const from = Math.floor((column * count) / columns), to = Math.max(from + 1, Math.floor(((column + 1) * count) / columns));
      let longest = from, slow = false;
      for (let i = from; i < to; ++i) {
        if (frames.period[i] > frames.period[longest]) longest = i;
        slow ||= frames.slow[i] === 1;
      }
      const x = left + column * columnWidth, barWidth = Math.min(Math.max(columnWidth - gap, 1), 28);
      context.fillStyle = pageColor(slow ? "--slow" : "--frame");
      context.globalAlpha = slow ? 0.55 : 1;
      context.fillRect(x, y(frames.period[longest]), barWidth, bottom - y(frames.period[longest]));
      context.globalAlpha = 1;
      const gpu = Math.min(frames.gpu[longest], frames.period[longest]);
      context.fillStyle = pageColor(slow ? "--slow" : "--gpu");
      context.fillRect(x, y(gpu), barWidth, bottom - y(gpu));
      if (slow) this.marker(context, x + barWidth / 2, Math.max(y(frames.period[longest]) - 3, 8));
      if (this.selection.frame >= from && this.selection.frame < to) {
        context.strokeStyle = pageColor("--text");
        context.lineWidth = 1.5;
        context.strokeRect(x - 1, 1, Math.max(barWidth, 2) + 2, bottom - 1);
      }
    }
    const used = columns * columnWidth;
    this.usedWidth = columnWidth > 28 ? used : width;
    this.line(context, y(this.model.medianFrame), `median ${timeText(this.model.medianFrame)}`, width);
    if (this.model.slowLimit <= this.top) this.line(context, y(this.model.slowLimit), `slow above ${timeText(this.model.slowLimit)}`, width);
    this.drawWindow(context, height, width);
  }

  marker(context, x, y) {
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x - 4, y - 6);
    context.lineTo(x + 4, y - 6);
    context.fill();
  }

  line(context, y, text, width) {
    context.strokeStyle = pageColor("--quiet");
    context.lineWidth = 1;
    context.setLineDash([4, 4]);
    context.beginPath();
    context.moveTo(0, Math.round(y) + 0.5);
    context.lineTo(width, Math.round(y) + 0.5);
    context.stroke();
    context.setLineDash([]);
    const room = context.measureText(text).width + 8;
    context.fillStyle = pageColor("--surface");
    context.globalAlpha = 0.92;
    context.fillRect(width - room, y - 15, room, 14);
    context.globalAlpha = 1;
    context.fillStyle = pageColor("--quiet");
    context.textAlign = "right";
    context.fillText(text, width - 4, y - 7.5);
  }

  // The frames, as a real number, that stand at the ends of the timeline's view.
  position(ns) {
    const { frames } = this.model, index = Math.min(firstAbove(frames.end, ns), frames.end.length - 1);
    const start = frames.end[index] - frames.period[index];
    return index + Math.max(0, Math.min(1, (ns - start) / Math.max(frames.period[index], 1)));
  }

  drawWindow(context, height, width) {
    const count = this.model.frames.period.length;
    const x = (ns) => (this.position(ns) / count) * width;
    const from = x(this.timeline.from), to = Math.max(x(this.timeline.to), from + 3);
    if (from <= 0 && to >= width - 1) return;
    context.fillStyle = pageColor("--window");
    context.fillRect(from, 0, to - from, height);
    context.fillStyle = pageColor("--accent");
    context.fillRect(from, 0, 1, height);
    context.fillRect(to - 1, 0, 1, height);
  }

  frameAt(event) {
    const place = this.canvas.getBoundingClientRect(), count = this.model.frames.period.length;
    return Math.max(0, Math.min(count - 1, Math.floor(((event.clientX - place.left) / this.width) * count)));
  }

  show(index) {
    const { frames } = this.model;
    if (index < 0 || index >= frames.end.length) return;
    const from = Math.min(frames.begin[index], frames.end[index] - frames.period[index]), margin = (frames.end[index] - from) * 0.04;
    this.selection.set({ frame: index });
    this.timeline.glideTo(from - margin, frames.end[index] + margin);
    announce(`frame ${frames.number[index]}, ${timeText(frames.period[index])}${frames.slow[index] ? ", slow" : ""}`);
  }

  step(by) {
    const middle = (this.timeline.from + this.timeline.to) / 2;
    const at = this.selection.frame >= 0 ? this.selection.frame + by : Math.floor(this.position(middle));
    this.show(Math.max(0, Math.min(this.model.frames.end.length - 1, at)));
  }

  nextSlow() {
    const { slow } = this.model.frames, from = this.selection.frame;
    let next = slow.indexOf(1, from + 1);
    if (next < 0) next = slow.indexOf(1);
    if (next >= 0) this.show(next);
    else announce("no frame is slow");
  }

  listen() {
    const canvas = this.canvas;
    let drag = null;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      drag = { x: event.clientX, from: this.timeline.from, to: this.timeline.to, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const { frames } = this.model;
      if (frames.end.length === 0) return;
      if (drag && Math.abs(event.clientX - drag.x) > 3) drag.moved = true;
      if (drag && drag.moved) {
        tooltip.hide();
        const by = ((event.clientX - drag.x) / this.width) * this.model.length;
        return this.timeline.setView(drag.from + by, drag.to + by);
      }
      const i = this.frameAt(event);
      tooltip.show(event, `frame ${countText(frames.number[i])}${frames.slow[i] ? ", slow" : ""}\n${timeText(frames.period[i])}, GPU busy ${timeText(frames.gpu[i])}`);
    });
    canvas.addEventListener("pointerleave", () => tooltip.hide());
    canvas.addEventListener("pointercancel", () => (drag = null));
    canvas.addEventListener("pointerup", (event) => {
      if (drag && !drag.moved && this.model.frames.end.length > 0) this.show(this.frameAt(event));
      drag = null;
    });
    canvas.addEventListener("keydown", (event) => {
      const actions = {
        ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.show(0),
        End: () => this.show(this.model.frames.end.length - 1), s: () => this.nextSlow(),
      };
      const action = !event.ctrlKey && !event.metaKey && !event.altKey && actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!action) return;
      event.preventDefault();
      action();
    });
  }
}
