// The line to the station: sign in with the token behind the #, then a WebSocket for what is seen and POST for what is done.

let socket = null;
let waiting = 250;

// The token is taken out of the address at once, so that it is in no screenshot, bookmark or history.
export async function signIn() {
  const token = location.hash.slice(1);
  if (token) {
    history.replaceState(null, "", location.pathname);
    const answer = await fetch("/login", send({ token }));
    if (!answer.ok) return false;
  }
  return (await fetch("/api/state")).ok;
}

const send = (body) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

export function connect({ onState, onFrame, onOpen, onLost, onDenied }) {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    waiting = 250;
    onOpen();
  };
  socket.onmessage = async ({ data }) => {
    if (typeof data === "string") {
      onState(JSON.parse(data));
      return;
    }
    // First byte: which camera. The answer asks for the next picture, so a slow tablet gets fewer, never older ones.
    const bytes = new Uint8Array(data);
    try {
      await onFrame(bytes[0], bytes.subarray(1));
    } finally {
      if (socket.readyState === WebSocket.OPEN) socket.send("seen");
    }
  };
  socket.onclose = async () => {
    onLost();
    // A console that was started anew gives out another address: without it trying again is of no use.
    const answer = await fetch("/api/state").catch(() => null);
    if (answer?.status === 401) {
      onDenied();
      return;
    }
    setTimeout(() => connect({ onState, onFrame, onOpen, onLost, onDenied }), waiting);
    waiting = Math.min(waiting * 1.6, 3000);
  };
}

// Return {ok, error?}: what the station said to an action.
export async function act(action, data, seen) {
  try {
    // The safety stop has a way of its own: it is never too much, too early or too late.
    const answer = action === "safety_stop" ? await fetch("/api/stop", send({})) : await fetch("/api/act", send({ action, data, seen }));
    return { ok: answer.ok, status: answer.status, ...(await answer.json()) };
  } catch {
    return { ok: false, status: 0, error: "The console did not answer: use the switch of the 12 V supply if you must." };
  }
}
