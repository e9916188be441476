// The operator's page: shows the state that the station sends, sends the keys that are pressed. It decides nothing.

import { act, connect, signIn } from "/static/link.js";
import { setAlpha, setArrows, setFrame, setReference, swap } from "/static/stage.js";
import { render } from "/static/panel.js";

const byId = (id) => document.getElementById(id);
let state = null;
let cameras = [];
let referenceOf = null;
let toastTimer = 0;

function toast(text) {
  const box = byId("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (box.hidden = true), 5000);
}

async function ask(title, text, label) {
  const dialog = byId("ask");
  byId("ask-title").textContent = title;
  byId("ask-text").textContent = text;
  byId("ask-value").value = "";
  dialog.querySelector("[value=yes]").textContent = label;
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((done) => dialog.addEventListener("close", done, { once: true }));
  const value = byId("ask-value").value.trim();
  return dialog.returnValue === "yes" && value ? value : null;
}

async function perform(action, data = {}) {
  const answer = await act(action, data, state?.version ?? 0);
  if (!answer.ok) toast(answer.error ?? "That did not work.");
  return answer.ok;
}

const keys = {
  check: () => perform("check"),
  start: () => perform("start"),
  stop: () => perform("stop"),
  success: () => perform("success"),
  fail: () => perform("fail"),
  release: () => perform("release"),
  home: () => perform("home"),
  safety_stop: () => perform("safety_stop"),
  undo: () => perform("undo"),
  next: () => perform("next"),
  async invalid() {
    const reason = await ask("Invalid trial", "What went wrong that was not the policy's doing? The trial is run again.", "Mark invalid");
    if (reason) perform("invalid", { reason });
  },
  async note() {
    const text = await ask("Note", "Kept in the journal with the time, next to this trial.", "Save note");
    if (text) perform("note", { text });
  },
  async override() {
    const reason = await ask("Accept anyway", "Why may this scene be used although the gate is not green? The reason is published with the result.", "Accept");
    if (reason) perform("override", { reason });
  },
};

function press(key) {
  const allowed = state?.keys ?? [];
  if (key === "safety_stop" || allowed.includes(key)) keys[key]();
}

function count(kind) {
  if (state?.keys.includes("items")) perform("item", { kind });
}

const shortcuts = { g: "check", s: "success", f: "fail", i: "invalid", u: "undo", m: "note", n: "next", ArrowRight: "next", o: "override", r: "release", h: "home" };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (event.key === "Escape" && (state?.phase === "running" || !byId("ask").open)) keys.safety_stop();
  if (byId("ask").open || event.target.matches("input, textarea")) return;
  const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const counter = { p: "placed", d: "dropped", l: "lost" }[letter];
  if (counter) count(counter);
  else if (event.key === " ") press(state?.phase === "running" ? "stop" : "start");
  else if (letter in shortcuts) press(shortcuts[letter]);
  else return;
  event.preventDefault();
});

document.addEventListener("click", (event) => {
  const key = event.target.closest("[data-key]");
  if (key && !key.disabled) {
    press(key.dataset.key);
    // Otherwise the space bar would press this key again instead of starting or stopping.
    key.blur();
    return;
  }
  const counter = event.target.closest("[data-item]");
  if (counter && !counter.disabled) {
    count(counter.dataset.item);
    counter.blur();
  }
});

async function showReference(scene, available) {
  const wanted = available ? scene : null;
  if (wanted === referenceOf) return;
  referenceOf = wanted;
  const answer = wanted === null ? null : await fetch("/api/reference");
  setReference(answer?.ok ? await createImageBitmap(await answer.blob()) : null);
}

function onState(next) {
  state = next;
  cameras = next.cameras.map((camera) => camera.name);
  render(next);
  setArrows(next.gate?.arrows ?? []);
  showReference(next.scene?.id ?? null, next.reference);
}

const slider = byId("alpha");
slider.addEventListener("input", () => {
  byId("alpha-value").textContent = `${slider.value} %`;
  setAlpha(slider.value / 100);
});
slider.addEventListener("change", () => slider.blur());
byId("swap").addEventListener("click", swap);
byId("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});

if (await signIn()) {
  connect({
    onState,
    onFrame: (index, jpeg) => setFrame(cameras[index], jpeg),
    onOpen: () => {
      byId("lost").hidden = true;
      byId("link").dataset.ok = "true";
    },
    onLost: () => {
      byId("lost").hidden = false;
      byId("link").dataset.ok = "false";
      if (state) render({ ...state, keys: [] });
    },
    onDenied: () => {
      byId("lost").hidden = true;
      byId("denied").hidden = false;
    },
  });
} else {
  byId("denied").hidden = false;
}
