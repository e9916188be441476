// The two camera canvases: live picture, reference laid over it, arrows of the gate.

const canvases = { top: document.getElementById("top"), wrist: document.getElementById("wrist") };
const tag = document.getElementById("top-tag");
const latest = { top: null, wrist: null };
let reference = null;
let alpha = 0;
let arrows = [];
let big = "top";

export function setAlpha(value) {
  alpha = value;
  paint("top");
}

export function setArrows(list) {
  arrows = list;
  paint("top");
}

export function setReference(bitmap) {
  reference = bitmap;
  paint("top");
}

export async function setFrame(camera, jpeg) {
  if (!(camera in canvases)) return;
  const bitmap = await createImageBitmap(new Blob([jpeg], { type: "image/jpeg" }));
  latest[camera]?.close();
  latest[camera] = bitmap;
  paint(camera);
}

function paint(camera) {
  const canvas = canvases[camera];
  const bitmap = latest[camera];
  if (!bitmap) return;
  if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
  }
  const context = canvas.getContext("2d");
  context.globalAlpha = 1;
  context.drawImage(bitmap, 0, 0);
  if (camera !== "top") return;
  if (reference && alpha > 0) {
    context.globalAlpha = alpha;
    context.drawImage(reference, 0, 0, canvas.width, canvas.height);
    context.globalAlpha = 1;
  }
  for (const arrow of arrows) drawArrow(context, arrow);
}

// An arrow from where an object lies to where it belongs, with the distance written beside it.
function drawArrow(context, { from, to, text }) {
  const [x0, y0] = from;
  const [x1, y1] = to;
  const angle = Math.atan2(y1 - y0, x1 - x0);
  const length = Math.hypot(x1 - x0, y1 - y0);
  context.lineCap = "round";
  context.lineJoin = "round";
  for (const [width, colour] of [[6.5, "rgba(8,14,13,.7)"], [3, "#ffcf5c"]]) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.arc(x1, y1, 10, 0, 7);
    context.stroke();
    if (length > 6) {
      const head = Math.min(11, length / 2);
      context.beginPath();
      context.moveTo(x0, y0);
      context.lineTo(x1, y1);
      for (const turn of [2.6, -2.6]) {
        context.moveTo(x1 + head * Math.cos(angle + turn), y1 + head * Math.sin(angle + turn));
        context.lineTo(x1, y1);
      }
      context.stroke();
    }
  }
  label(context, text, x1 + 19, y1 - 15);
}

function label(context, text, x, y) {
  context.font = "600 14px system-ui, sans-serif";
  context.textBaseline = "middle";
  const width = context.measureText(text).width + 16;
  const left = Math.min(Math.max(4, x), context.canvas.width - width - 4);
  const middle = Math.min(Math.max(16, y), context.canvas.height - 16);
  context.fillStyle = "rgba(8,14,13,.78)";
  context.beginPath();
  context.roundRect(left, middle - 12, width, 24, 12);
  context.fill();
  context.fillStyle = "#ffdf94";
  context.fillText(text, left + 8, middle + 1);
}

export function swap() {
  big = big === "top" ? "wrist" : "top";
  arrange();
}

function arrange() {
  for (const [name, canvas] of Object.entries(canvases)) {
    canvas.classList.toggle("big", name === big);
    canvas.classList.toggle("inset", name !== big);
    canvas.onclick = name === big ? null : swap;
  }
  tag.textContent = big === "top" ? "Top camera" : "Wrist camera";
}

arrange();
