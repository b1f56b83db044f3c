// SPDX-License-Identifier: Apache-2.0
// The table of passes: sorted by any column, searched, and one row selected together with the timeline.

class PassTable {
  constructor(model, selection, timeline) {
    this.model = model;
    this.selection = selection;
    this.timeline = timeline;
    this.table = byId("passes");
    this.order = { key: "total", ascending: false };
    const unit = columnUnit(Math.max(0, ...model.passes.map((pass) => pass.max)));
    const time = (key) => (pass) => (pass[key] / unit.scale).toFixed(unit.digits);
    byId("passes-unit").textContent = model.passes.length
      ? `${countText(model.passes.length)} passes; GPU time per frame in ${unit.name}` : "";
    this.columns = [
      { key: "name", title: "pass", text: true },
      { key: "kind", title: "kind", text: true },
      { key: "median", title: "median", cell: time("median") },
      { key: "p95", title: "p95", cell: time("p95") },
      { key: "max", title: "max", cell: time("max") },
      { key: "total", title: "share", share: true },
      { key: "runs", title: "runs / frame", cell: (pass) => this.rounded(pass.runs) },
      { key: "work", title: "draws, dispatches", cell: (pass) => this.rounded(pass.work) },
      { key: "vertices", title: "vertices", cell: (pass) => (pass.kind === "render" ? this.rounded(pass.vertices) : "–") },
      { key: "encode", title: "encoding", cell: time("encode") },
      { key: "history", title: "over time", history: true },
    ];
    this.buildHead();
    this.build();
    byId("pass-search").addEventListener("input", () => this.build());
    selection.onChange(() => this.mark());
  }

  rounded(value) {
    return value >= 100 || Number.isInteger(value) ? countText(value) : value.toFixed(1);
  }

  buildHead() {
    const row = element("tr");
    for (const column of this.columns) {
      const heading = element("th", { scope: "col", className: column.text ? "text" : "" });
      if (column.history) heading.append(element("button", { type: "button", disabled: true }, column.title));
      else {
        const button = element("button", { type: "button" }, column.title);
        button.addEventListener("click", () => {
          const same = this.order.key === column.key;
          this.order = { key: column.key, ascending: same ? !this.order.ascending : column.text === true };
          this.build();
        });
        heading.append(button);
      }
      column.heading = heading;
      row.append(heading);
    }
    this.table.tHead.replaceChildren(row);
  }

  build() {
    const { key, ascending } = this.order, wanted = byId("pass-search").value.trim().toLowerCase();
    for (const column of this.columns) {
      if (column.key === key && !column.history) column.heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      else column.heading.removeAttribute("aria-sort");
    }
    const sign = ascending ? 1 : -1;
    const shown = this.model.passes
      .map((pass, index) => ({ pass, index }))
      .filter(({ pass }) => pass.name.toLowerCase().includes(wanted))
      .sort((a, b) => sign * (typeof a.pass[key] === "string" ? a.pass[key].localeCompare(b.pass[key]) : a.pass[key] - b.pass[key]));
    this.rows = shown.map(({ pass, index }) => this.row(pass, index));
    const empty = element("tr", {}, element("td", { colSpan: this.columns.length },
      this.model.passes.length ? "No pass has this in its name." : "No pass was measured."));
    this.table.tBodies[0].replaceChildren(...(this.rows.length ? this.rows : [empty]));
    this.mark();
  }

  row(pass, index) {
    const row = element("tr", { tabIndex: -1 });
    row.dataset.pass = index;
    for (const column of this.columns) {
      const cell = element("td", { className: column.key === "name" ? "text name" : column.text ? "text" : "" });
      if (column.key === "name") {
        cell.append(swatch(passColor(index)), pass.name);
        cell.title = pass.name;
      } else if (column.share) {
        const bar = element("i");
        bar.style.width = `${Math.round(pass.share * 100)}%`;
        bar.style.background = passColor(index);
        cell.append(percentText(pass.share), element("span", { className: "share", "aria-hidden": "true" }, bar));
      } else if (column.history) cell.append(this.history(pass, index));
      else cell.append(column.cell ? column.cell(pass) : pass[column.key]);
      row.append(cell);
    }
    row.addEventListener("click", () => this.select(index));
    row.addEventListener("keydown", (event) => this.key(event, row, index));
    return row;
  }

  // Medians over stretches of frames, from 0 up.
  history(pass, index) {
    const namespace = "http://www.w3.org/2000/svg", picture = document.createElementNS(namespace, "svg");
    picture.setAttribute("class", "history");
    picture.setAttribute("viewBox", "0 0 120 20");
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", `from ${timeText(Math.min(...pass.history))} to ${timeText(Math.max(...pass.history))}`);
    const most = Math.max(...pass.history, 1), last = Math.max(pass.history.length - 1, 1);
    const points = pass.history.map((value, i) => `${((i / last) * 120).toFixed(1)},${(19 - (value / most) * 18).toFixed(1)}`);
    if (points.length === 1) points.push(`120,${points[0].split(",")[1]}`);
    const line = document.createElementNS(namespace, "polyline");
    line.setAttribute("points", points.join(" "));
    line.setAttribute("fill", "none");
    line.setAttribute("stroke", passColor(index));
    line.setAttribute("stroke-width", "1.5");
    picture.append(line);
    return picture;
  }

  select(index) {
    const same = this.selection.pass === index;
    this.selection.set({ pass: same ? -1 : index, span: null });
    announce(`${this.model.passes[index].name} ${same ? "no longer selected" : "selected"}`);
  }

  key(event, row, index) {
    const next = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling, Home: this.rows[0], End: this.rows.at(-1) };
    if (event.key in next) {
      event.preventDefault();
      next[event.key]?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.select(index);
    } else if (event.key.toLowerCase() === "n" || event.key.toLowerCase() === "p") {
      if (this.selection.pass !== index) this.select(index);
      this.timeline.stepRun(event.key.toLowerCase() === "n" ? 1 : -1);
    }
  }

  // One row can be reached by Tab: the selected one, else the first.
  mark() {
    let reachable = this.rows[0];
    for (const row of this.rows) {
      const selected = Number(row.dataset.pass) === this.selection.pass;
      row.setAttribute("aria-selected", String(selected));
      row.tabIndex = -1;
      if (selected) {
        reachable = row;
        const box = this.table.parentElement, top = row.offsetTop - 40, bottom = row.offsetTop + row.offsetHeight;
        if (top < box.scrollTop) box.scrollTop = top;
        else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
      }
    }
    if (reachable) reachable.tabIndex = 0;
  }
}
