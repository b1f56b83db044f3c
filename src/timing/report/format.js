// SPDX-License-Identifier: Apache-2.0
// Numbers and times as text, and small helpers to make elements.

const integerFormat = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

function countText(count) {
  return integerFormat.format(count);
}

// Three significant digits at least, in the unit that reads best.
function timeText(ns) {
  const size = Math.abs(ns);
  if (size < 1000) return `${Math.round(ns)} ns`;
  const [unit, scale] = size < 1e6 ? ["µs", 1e3] : size < 1e9 ? ["ms", 1e6] : ["s", 1e9];
  const value = ns / scale;
  const digits = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}

function percentText(share) {
  return `${(share * 100).toFixed(share !== 0 && Math.abs(share) < 0.1 ? 1 : 0)} %`;
}

function bytesText(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (Math.abs(bytes) >= 1024 && unit < units.length - 1) {
    bytes /= 1024;
    ++unit;
  }
  return `${bytes.toFixed(unit === 0 || bytes >= 100 ? 0 : 1)} ${units[unit]}`;
}

// One unit for a whole column, so that its figures compare at a glance.
function columnUnit(mostNs) {
  if (mostNs >= 10e9) return { name: "s", scale: 1e9, digits: 2 };
  if (mostNs >= 10e6) return { name: "ms", scale: 1e6, digits: 2 };
  return { name: "µs", scale: 1e3, digits: 1 };
}

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children);
  return made;
}

function byId(id) {
  return document.getElementById(id);
}

function swatch(color) {
  const made = element("i");
  made.style.background = color;
  return made;
}

function announce(sentence) {
  byId("announcement").textContent = sentence;
}
