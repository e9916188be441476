// Everything beside the pictures: scene card, status, timer, gate, which keys are live.

const byId = (id) => document.getElementById(id);
let clock = { elapsed: 0, cap: 90, running: false, at: performance.now() };

const titles = {
  setup: ["Set up the scene", "Lay the objects out as in the reference, then check."],
  gate: ["Set up the scene", "Lay the objects out as in the reference, then check."],
  ready: ["Ready", "Step back and start."],
  running: ["Running", "Stop as soon as the criterion is met or cannot be met any more."],
  scoring: ["How did it end?", "Judge by the criterion only."],
  done: ["Scored", "Undo takes it back, Next goes on."],
  finished: ["All trials are done", "The session can now be revealed on the command line: proctor station reveal."],
};
const others = { fail: "Fail", timeout: "Time ran out", safety: "Safety", system: "Station failed" };
const said = { success: "Scored: success", fail: "Scored: fail", timeout: "Scored: time ran out", safety: "Scored: safety stop", system: "The station failed: run again", invalid: "Invalid: run again" };

export function render(state) {
  document.body.dataset.phase = state.phase;
  document.body.dataset.version = state.version;
  document.body.dataset.outcome = state.outcome;
  byId("session").textContent = state.session;
  const { done, total } = state.progress;
  byId("progress-text").textContent = state.phase === "finished" ? `All ${total} trials done` : `Trial ${state.progress.number} of ${total} · scene ${state.progress.scene} of ${state.progress.scenes}`;
  byId("progress-fill").style.width = `${(100 * done) / Math.max(1, total)}%`;
  const arm = byId("arm");
  arm.dataset.ok = String(state.arm.ok);
  arm.lastElementChild.textContent = state.arm.text;
  arm.title = state.arm.why || state.arm.text;
  scene(state);
  status(state);
  gate(state);
  keys(state);
  const lost = state.cameras.find((camera) => !camera.ok);
  byId("still").hidden = !lost;
  if (lost) byId("still").textContent = `No picture from the ${lost.name} camera: check its cable`;
}

function scene(state) {
  const card = state.scene;
  byId("scene-number").textContent = card ? `Scene ${card.id}` : "";
  byId("scene-level").textContent = card?.level ?? "";
  byId("scene-split").textContent = card?.split ?? "";
  byId("scene-distractors").textContent = card?.distractors == null ? "" : card.distractors === 1 ? "1 distractor" : `${card.distractors || "no"} distractors`;
  byId("instruction").textContent = card ? card.instruction : "Thank you";
  byId("criterion").textContent = card?.criterion ?? "";
  byId("criterion").parentElement.hidden = !card;
}

function status(state) {
  let [title, hint] = titles[state.phase] ?? ["", ""];
  let tone = { ready: "good", running: "good" }[state.phase] ?? "";
  if (state.gate && (state.phase === "setup" || state.phase === "gate")) {
    const wrong = state.gate.lines.filter((line) => !line.ok).length;
    tone = state.gate.ok ? "good" : "bad";
    title = state.gate.ok ? "The scene is right" : "Not right yet";
    hint = state.gate.ok ? "Press Check scene to record it." : wrong === 1 ? "One thing to put right." : `${wrong} things to put right.`;
  }
  if (state.phase === "done" || state.phase === "finished") {
    tone = state.outcome === "success" ? "good" : "warn";
    if (state.phase === "done") title = said[state.outcome] ?? title;
    if (state.phase === "done" && state.then) hint = state.then.same ? "Next is this scene again: lay it out anew." : `Next is scene ${state.then.id}: ${state.then.instruction}.`;
  } else if (state.phase === "scoring") {
    hint = state.ended;
    tone = state.other === "fail" ? "" : "warn";
  } else if (state.phase === "running" && !state.timer.running) {
    title = "The arm goes home";
    hint = "Then the trial begins by itself. Keep your hands away.";
  } else if (state.phase === "ready" && state.arm.ok && !state.keys.includes("start")) {
    hint = "The arm is still on its way home.";
  }
  if (!state.arm.ok && state.keys.includes("release")) {
    title = "Safety stop";
    tone = "bad";
    hint = "The arm holds. Make the station safe, then release it.";
  }
  if (state.arm.why && !state.keys.includes("release")) {
    // The station's own words.
    const after = state.phase === "scoring" ? "This trial is run again." : "Then press Arm home.";
    hint = `${state.arm.why[0].toUpperCase()}${state.arm.why.slice(1)}. ${after}`;
    tone = "bad";
    if (state.phase === "setup" || state.phase === "gate" || state.phase === "ready") title = "The arm needs you";
  }
  if (state.human && state.phase === "ready") hint = "This one is yours: take the leader arm, then start.";
  if (state.message) {
    hint = state.message;
    tone = tone === "good" && state.phase !== "ready" ? tone : "warn";
  }
  byId("phase").textContent = title;
  byId("hint").textContent = hint;
  document.querySelector(".status").dataset.tone = tone;
  clock = { elapsed: state.timer.elapsed_s, cap: state.timer.cap_s, running: state.timer.running, at: performance.now() };
}

function tick() {
  const elapsed = Math.min(clock.cap, clock.elapsed + (clock.running ? (performance.now() - clock.at) / 1000 : 0));
  byId("time").textContent = elapsed.toFixed(1);
  byId("cap").textContent = `of ${clock.cap} s`;
  byId("arc").style.strokeDasharray = `${(100 * elapsed) / Math.max(1, clock.cap)} 100`;
  requestAnimationFrame(tick);
}

const SVG = "http://www.w3.org/2000/svg";

// A small compass: in which direction of the picture the object has to go.
function dial(angle) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "-12 -12 24 24");
  svg.classList.add("dial");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", angle == null ? "M-6 0 L-2 5 L7 -5" : "M-8 0 H7 M1 -6 L7 0 L1 6");
  path.setAttribute("fill", "none");
  path.setAttribute("stroke", "currentColor");
  path.setAttribute("stroke-width", "2.6");
  path.setAttribute("stroke-linecap", "round");
  path.setAttribute("stroke-linejoin", "round");
  if (angle != null) path.setAttribute("transform", `rotate(${angle})`);
  svg.append(path);
  return svg;
}

function gate(state) {
  const list = byId("gate");
  // An arm that was stopped comes first: the key that releases it must not be pushed out of sight.
  const shown = (state.phase === "setup" || state.phase === "gate") && !state.keys.includes("release");
  const lines = shown ? state.gate?.lines ?? [] : [];
  list.replaceChildren(
    ...lines.map((line) => {
      const row = document.createElement("li");
      row.dataset.ok = String(line.ok);
      const name = document.createElement("b");
      name.textContent = line.name;
      const text = document.createElement("span");
      text.textContent = line.text;
      row.append(dial(line.ok ? null : line.angle_deg), name, text);
      return row;
    }),
  );
}

function keys(state) {
  for (const key of document.querySelectorAll("[data-key]")) {
    const name = key.dataset.key;
    key.disabled = name !== "safety_stop" && !state.keys.includes(name);
    key.classList.toggle("chosen", state.outcome !== "" && state.outcome === (name === "fail" ? state.other : name));
  }
  document.querySelector("[data-key=fail] span").textContent = others[state.other] ?? "Fail";
  for (const counter of document.querySelectorAll("[data-item]")) {
    const count = state.items[counter.dataset.item];
    counter.querySelector("b").textContent = counter.dataset.item === "placed" ? `${count}/${state.items.of}` : count;
    counter.disabled = !state.keys.includes("items");
  }
}

requestAnimationFrame(tick);
