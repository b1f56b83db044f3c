// SPDX-License-Identifier: Apache-2.0
// Puts the parts of the report together.

function showReport(data) {
  const model = new Model(data), selection = new Selection();
  byId("subtitle").textContent = model.subtitle;
  showTiles(model);
  showNotes(model);
  showOverlap(model);
  showFacts(model);
  const timeline = new Timeline(model, selection);
  const frames = new FramePlot(model, selection, timeline);
  const passes = new PassTable(model, selection, timeline);
  const flame = new Flame(model, selection);
  showWarnings(model, selection, frames);
  selection.onChange(() => showDetails(model, selection));
  timeline.onView = () => frames.requestDraw();
  timeline.onFrameStep = (by) => frames.step(by);
  const buttons = {
    "zoom-in": () => timeline.zoom(0.5), "zoom-out": () => timeline.zoom(2), "zoom-fit": () => timeline.glideTo(0, model.length),
    "frame-previous": () => frames.step(-1), "frame-next": () => frames.step(1), "frame-slow": () => frames.nextSlow(),
  };
  for (const [id, action] of Object.entries(buttons)) byId(id).addEventListener("click", action);
  byId("frame-slow").disabled = !model.frames.slow.includes(1);
  setUpTheme(() => {
    timeline.requestDraw();
    frames.requestDraw();
    flame.draw();
    passes.mark();
    showDetails(model, selection);
  });
  document.documentElement.dataset.state = "ready";
}

unpackRecording()
  .then(showReport)
  .catch((error) => {
    const box = byId("failure");
    box.textContent = `The report could not be drawn: ${error.message}`;
    box.hidden = false;
    document.documentElement.dataset.state = "failed";
    console.error(error);
  });
