// SPDX-License-Identifier: Apache-2.0
// The flame view: GPU time by nested debug groups and passes, over all frames.

const flameRow = 24;

class Flame {
  constructor(model, selection) {
    this.model = model;
    this.selection = selection;
    this.box = byId("flame");
    this.children = model.flame.map(() => []);
    model.flame.forEach((node, index) => node.parent >= 0 && this.children[node.parent].push(index));
    this.root = 0;
    byId("flame-card").hidden = model.flame.length < 2;
    byId("flame-reset").addEventListener("click", () => this.zoomTo(0));
    new ResizeObserver(() => this.draw()).observe(this.box.parentElement);
    selection.onChange(() => this.draw());
  }

  zoomTo(index) {
    this.root = index;
    this.draw();
    this.box.querySelector("button")?.focus();
  }

  path(index) {
    const names = [];
    for (let at = index; at > 0; at = this.model.flame[at].parent) names.unshift(this.model.flame[at].name);
    return names.join(" › ");
  }

  draw() {
    if (this.model.flame.length < 2) return;
    const width = this.box.clientWidth, made = [];
    let deepest = 0;
    const place = (index, x, room, depth) => {
      if (room < 3) return;
      deepest = Math.max(deepest, depth);
      made.push(this.button(index, x, room, depth));
      const total = Math.max(this.model.flame[index].total, this.children[index].reduce((sum, child) => sum + this.model.flame[child].total, 0), 1);
      for (const child of this.children[index]) {
        const childRoom = (this.model.flame[child].total / total) * room;
        place(child, x, childRoom, depth + 1);
        x += childRoom;
      }
    };
    const focused = document.activeElement?.dataset?.flame;
    place(this.root, 0, width, 0);
    this.box.replaceChildren(...made);
    this.box.style.height = `${(deepest + 1) * flameRow}px`;
    byId("flame-path").textContent = this.root ? this.path(this.root) : "GPU time by group and pass; click to enlarge";
    byId("flame-reset").hidden = this.root === 0;
    if (focused !== undefined) this.box.querySelector(`[data-flame="${focused}"]`)?.focus();
  }

  button(index, x, room, depth) {
    const node = this.model.flame[index], whole = Math.max(this.model.flame[0].total, 1);
    const text = `${node.name}, ${timeText(node.total)}, ${percentText(node.total / whole)}`;
    const made = element("button", { type: "button", role: "treeitem", "aria-level": String(depth + 1), "aria-label": text }, room > 30 ? node.name : "");
    made.dataset.flame = index;
    made.style.left = `${x}px`;
    made.style.width = `${Math.max(room - 1, 2)}px`;
    made.style.top = `${depth * flameRow}px`;
    made.style.background = node.pass >= 0 ? passColor(node.pass) : "#5d6772";
    made.style.opacity = this.selection.pass < 0 || node.pass < 0 || node.pass === this.selection.pass ? 1 : 0.35;
    made.addEventListener("click", () => {
      if (node.pass >= 0) this.selection.set({ pass: node.pass, span: null });
      if (this.children[index].length) this.zoomTo(index === this.root ? Math.max(node.parent, 0) : index);
    });
    made.addEventListener("pointermove", (event) =>
      tooltip.show(event, `${this.path(index) || node.name}\n${timeText(node.total)} in all, ${percentText(node.total / whole)}\n${countText(node.count)} times`));
    made.addEventListener("pointerleave", () => tooltip.hide());
    made.addEventListener("keydown", (event) => {
      const all = [...this.box.children], at = all.indexOf(made);
      const next = { ArrowRight: all[at + 1], ArrowLeft: all[at - 1] }[event.key];
      if (!next) return;
      event.preventDefault();
      next.focus();
    });
    return made;
  }
}
