// SPDX-License-Identifier: Apache-2.0
// Colours: of a pass, the same everywhere; of the page, as the style sheet has them in the theme of the moment.

// White text is legible on each, and each stands out from both backgrounds.
const passColors = ["#2f6fd0", "#b3541e", "#2c7d4f", "#8250df", "#b83280", "#0b7285", "#92610a", "#c92a2a", "#4c6a1f", "#5f5a9e"];

function passColor(pass) {
  if (pass < 0) return pageColor("--cpu");
  if (pass < passColors.length) return passColors[pass];
  // Hues a golden angle apart stay distinct for long.
  return `hsl(${Math.round((pass * 137.508) % 360)} 48% 40%)`;
}

let pageColors = new Map();

function pageColor(name) {
  if (!pageColors.has(name))
    pageColors.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return pageColors.get(name);
}

// Calls back whenever the theme changes, by the button or by the system.
function setUpTheme(redraw) {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const button = byId("theme");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const show = () => {
    button.textContent = isDark() ? "☀ Light" : "☾ Dark";
    pageColors = new Map();
    redraw();
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    show();
  });
  system.addEventListener("change", show);
  show();
}

// A canvas as large as its box, in the pixels of the screen; the returned context draws in CSS pixels.
function prepareCanvas(canvas, height) {
  const width = canvas.clientWidth;
  const scale = window.devicePixelRatio || 1;
  canvas.style.height = `${height}px`;
  const pixelWidth = Math.round(width * scale), pixelHeight = Math.round(height * scale);
  if (canvas.width !== pixelWidth) canvas.width = pixelWidth;
  if (canvas.height !== pixelHeight) canvas.height = pixelHeight;
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
  context.textBaseline = "middle";
  return { context, width, height };
}

const tooltip = {
  show(event, text) {
    const box = byId("tooltip");
    box.textContent = text;
    box.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = box;
    box.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8))}px`;
    box.style.top = `${event.clientY + 18 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 18}px`;
  },
  hide() {
    byId("tooltip").hidden = true;
  },
};
