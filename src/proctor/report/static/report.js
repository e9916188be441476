"use strict";
/* Theme switch, and the table of rows: filter, sort, pages. Rows come from data scripts; text is only ever set as text. */
const proctor = (() => {
  const PAGE = 100;
  const RESULTS = ["failure", "success", "policy error", "infra error", "aborted"];
  const state = { arms: [], policies: [], tasks: [], rows: [], sort: null, down: false, page: 0 };

  function index(value) { state.arms = value.arms; state.policies = value.policies; state.tasks = value.tasks; }

  function rows(taskIndex, shard) {
    const task = state.tasks[taskIndex];
    const short = task.task.split("@")[0].split("/").pop();
    for (const r of shard.rows) {
      state.rows.push({
        id: r[0], arm: r[1], episode: r[2], seed: r[3], result: r[4], steps: r[5], sim: r[6], cost: r[7], first: r[8],
        successTime: r[9], instruction: shard.instructions[r[10]], page: r[11], video: r[12], costs: r[13], spans: r[14],
        marks: r[15], error: r[16], told: shard.told[r[17]], task, short,
      });
    }
  }

  function node(name, attributes, ...children) {
    const svg = ["svg", "rect", "line"].includes(name);
    const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    element.append(...children.filter((child) => child !== null));
    return element;
  }

  const number = (value, digits) => value === null ? "–" : value.toLocaleString("en", { maximumFractionDigits: digits });
  const armOf = (row) => node("span", { class: `arm a${row.arm % 8}` }, node("span", {}, state.arms[row.arm]));

  function resultOf(row) {
    const kind = row.result > 1 ? "error" : RESULTS[row.result];
    const text = row.result === 1 && row.successTime !== null ? `success ${number(row.successTime, 2)}\u202fs` : RESULTS[row.result];
    return node("span", { class: `result ${kind}`, title: row.error }, text);
  }

  function mini(row) {
    const svg = node("svg", { class: "mini", viewBox: "0 0 1000 14", preserveAspectRatio: "none", "aria-hidden": "true" });
    const end = row.marks[row.marks.length - 1][0];
    svg.append(node("line", { class: "track", x1: 0, x2: end, y1: 7, y2: 7 }));
    for (const [from, to] of row.spans) svg.append(node("rect", { class: "span", x: from, y: 3, width: Math.max(to - from, 6), height: 8 }));
    for (const [at, kind] of row.marks) {
      const x = Math.min(Math.max(at, 3), 997);
      const css = kind === "end" ? "end" : `mark ${kind.replace(/[^a-z0-9]/gi, "-")}`;
      svg.append(node("line", { class: css, x1: x, x2: x, y1: kind === "end" ? 3 : 0, y2: kind === "end" ? 11 : 14 }));
    }
    return svg;
  }

  // key -> [heading, value to sort by, cell content, css class]
  const COLUMNS = {
    episode: ["Episode", (r) => r.episode, (r, root) => node("span", { class: "id" },
      r.page ? node("a", { href: `${root}episode/${r.page}.html` }, r.id.slice(0, 8)) : node("span", { title: "no page of its own; see the downloads" }, r.id.slice(0, 8)),
      ` ${r.episode}`, r.video ? node("span", { title: "with video" }, " ▸") : null), ""],
    task: ["Task", (r) => `${r.task.suite} ${r.task.level} ${r.short}`, (r, root) => node("a", { href: `${root}task/${r.task.slug}.html` }, `${r.task.level} ${r.short}`), "full"],
    arm: ["Policy", (r) => state.arms[r.arm], armOf, ""],
    result: ["Result", (r) => [1, 0, 2, 3, 4].indexOf(r.result), resultOf, ""],
    steps: ["Steps", (r) => r.steps, (r) => number(r.steps, 0), "num"],
    cost: ["Cost", (r) => r.cost, (r) => number(r.cost, 2), "num"],
    costs: ["Cost by expression", (r) => r.costs.length, (r) => r.costs.length ? node("span", { class: "cost-list" }, ...r.costs.flatMap(([name, cost], i) => [i ? document.createElement("br") : null, node("code", {}, name), ` ${number(cost, 2)}`])) : node("span", { class: "quiet" }, r.cost === null ? "none defined" : "none paid"), "full"],
    first: ["First violation", (r) => r.first, (r) => r.first === null ? "–" : `${number(r.first, 2)}\u202fs`, "num"],
    timeline: ["Timeline", (r) => r.sim, mini, "full"],
    instruction: ["Instruction sent", (r) => r.instruction, (r) => r.instruction, "full"],
  };

  function wantedFromAddress() {
    return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  }

  const isType = (wanted, type) => !wanted || (wanted === "any" ? type !== "" : type === (wanted === "none" ? "" : wanted));

  function matches(row, w) {
    if (w.policy && state.policies[row.arm] !== w.policy) return false;
    if (w.told && row.told[0] !== w.told) return false;
    if (!isType(w.object, row.told[1]) || !isType(w.action, row.told[2])) return false;
    if (w.arm && state.arms[row.arm] !== w.arm) return false;
    if (w.suite && row.task.suite !== w.suite) return false;
    if (w.level && row.task.level !== w.level) return false;
    if (w.task && row.task.task !== w.task) return false;
    if (w.result === "error" ? row.result < 2 : w.result === "completed" ? row.result > 1 : w.result && RESULTS[row.result] !== w.result) return false;
    if (w.cost === "some" && !(row.cost > 0)) return false;
    if (w.cost === "none" && row.cost !== 0) return false;
    if (w.predicate && !row.costs.some(([name, , predicate]) => predicate === w.predicate || name === w.predicate)) return false;
    if (w.q) {
      const text = `${row.id} ${row.seed} ${row.short} ${row.instruction} ${row.error} ${row.costs.map((c) => c[0]).join(" ")}`.toLowerCase();
      if (!w.q.toLowerCase().split(/\s+/).every((word) => text.includes(word))) return false;
    }
    return true;
  }

  function compare(key) {
    const value = COLUMNS[key][1];
    return (a, b) => {
      const x = value(a), y = value(b);
      if (x === y) return 0;
      if (x === null) return 1;
      if (y === null) return -1;
      return (x < y ? -1 : 1) * (state.down ? -1 : 1);
    };
  }

  function table(section) {
    const root = document.querySelector(".mark").getAttribute("href").replace("index.html", "");
    const columns = section.dataset.columns.split(" ");
    const form = section.querySelector("form"), head = section.querySelector("thead"), body = section.querySelector("tbody");
    const count = section.querySelector(".count"), pager = section.querySelector(".pager");
    const fill = (name, values) => { for (const value of values) form[name].append(node("option", {}, value)); form[name].closest("label").hidden = values.length < 2; };
    fill("arm", state.arms.filter((_, i) => state.rows.some((r) => r.arm === i)));
    fill("level", [...new Set(state.rows.map((r) => r.task.level))].sort());

    function draw() {
      const w = wantedFromAddress();
      for (const field of form.elements) if (field.name) field.value = w[field.name] || "";
      const found = state.rows.filter((row) => matches(row, w));
      if (state.sort) found.sort(compare(state.sort));
      const pages = Math.max(1, Math.ceil(found.length / PAGE));
      state.page = Math.min(state.page, pages - 1);
      const extra = ["suite", "task", "predicate", "policy", "told", "object", "action"].filter((key) => w[key]).map((key) => `${key} ${w[key]}`);
      count.textContent = `${number(found.length, 0)} of ${number(state.rows.length, 0)} rows` + (extra.length ? `, ${extra.join(", ")}` : "");
      head.replaceChildren(node("tr", {}, ...columns.map((key) => {
        const th = node("th", { scope: "col", class: COLUMNS[key][3] });
        const button = node("button", { type: "button" }, COLUMNS[key][0]);
        button.addEventListener("click", () => { state.down = state.sort === key && !state.down; state.sort = key; state.page = 0; draw(); });
        if (state.sort === key) th.setAttribute("aria-sort", state.down ? "descending" : "ascending");
        th.append(button);
        return th;
      })));
      body.replaceChildren(...found.slice(state.page * PAGE, (state.page + 1) * PAGE).map((row) => node("tr", {}, ...columns.map((key) =>
        node("td", { class: COLUMNS[key][3], "data-label": COLUMNS[key][0] }, COLUMNS[key][2](row, root))))));
      const step = (word, by) => {
        const button = node("button", { type: "button" }, word);
        button.disabled = state.page + by < 0 || state.page + by >= pages;
        button.addEventListener("click", () => { state.page += by; draw(); section.scrollIntoView(); });
        return button;
      };
      pager.replaceChildren(...(pages > 1 ? [step("Previous", -1), node("span", {}, `page ${state.page + 1} of ${pages}`), step("Next", 1)] : []));
    }

    function address(wanted) {
      const kept = Object.entries(wanted).filter(([, value]) => value);
      history.replaceState(null, "", `#${new URLSearchParams(kept)}`);
      state.page = 0;
      draw();
    }
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", (event) => address({ ...wantedFromAddress(), [event.target.name]: event.target.value }));
    form.addEventListener("reset", (event) => { event.preventDefault(); address({}); });
    // A link that asks for rows leads to them, unless they are in view already.
    const show = () => { if (location.hash.includes("=") && section.getBoundingClientRect().top > innerHeight / 2) section.scrollIntoView(); };
    addEventListener("hashchange", () => { state.page = 0; draw(); show(); });
    draw();
    show();
  }

  addEventListener("DOMContentLoaded", () => {
    document.querySelector("[data-theme-toggle]").addEventListener("click", () => {
      const html = document.documentElement;
      const dark = html.dataset.theme ? html.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      html.dataset.theme = dark ? "light" : "dark";
      try { localStorage.setItem("proctor-theme", html.dataset.theme); } catch (error) { /* private windows have no storage */ }
    });
    document.querySelectorAll("[data-rows]").forEach(table);
  });
  return { index, rows };
})();
