// The script of a compile report: listings of a kernel side by side, with linked lines, and the
// loop nest after each step of its schedule. The data is compressed JSON in the page.
"use strict";

const byId = (id) => document.getElementById(id);
const make = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

async function unpacked() {
  const text = byId("tw-data").textContent;
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

// ---- colors of tokens

function highlighter(rules) {
  const pattern = new RegExp(rules.map(([, rule]) => `(${rule})`).join("|"), "g");
  const plain = new Set(["word", "operator", "punctuation"]);
  return (row) => {
    const parts = [];
    let end = 0;
    for (const found of row.matchAll(pattern)) {
      if (found.index > end) parts.push(row.slice(end, found.index));
      const [kind] = rules[found.slice(1).findIndex((each) => each !== undefined)];
      parts.push(plain.has(kind) ? found[0] : make("span", { class: `tw-${kind}` }, found[0]));
      end = found.index + found[0].length;
    }
    return [...parts, row.slice(end)];
  };
}

// ---- listings

class Pane {
  constructor(side, state) {
    this.side = side;
    this.state = state;
    this.level = byId(`tw-level-${side}`);
    this.list = byId(`tw-list-${side}`);
    this.active = -1;
    this.level.addEventListener("change", () => this.show());
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("[role=option]");
      if (row) this.activate(Number(row.dataset.row));
    });
  }

  offer(levels, wanted) {
    const kept = levels.includes(this.level.value) ? this.level.value : wanted;
    this.level.replaceChildren(...levels.map((each) => make("option", { value: each }, each)));
    this.level.value = kept;
    this.show();
  }

  show() {
    const { kernel, color } = this.state;
    this.listing = kernel.listings[this.level.value] ?? { t: "", n: [], l: [] };
    const paint = color[this.level.value] ?? color[""];
    const rows = this.listing.t.split("\n").map((row, number) =>
      make("div", { role: "option", id: `tw-${this.side}-${number}`, "data-row": number },
        ...paint(row), "\n"));
    this.list.replaceChildren(...rows);
    this.list.setAttribute("aria-label", `${this.level.value} of kernel ${kernel.name}`);
    this.list.removeAttribute("aria-activedescendant");
    this.active = -1;
    this.list.scrollTop = 0;
    for (const pane of this.state.panes) pane.mark(new Set());
  }

  key(event) {
    const last = this.list.children.length - 1;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15, Home: -last, End: last };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.activate(Math.min(last, Math.max(0, this.active + steps[event.key])));
  }

  activate(number) {
    this.active = number;
    const row = this.list.children[number];
    this.list.setAttribute("aria-activedescendant", row.id);
    row.scrollIntoView({ block: "nearest" });
    const texts = [];
    for (const pane of this.state.panes) {
      const found = pane === this ? new Set([number]) : pane.linked(this, number);
      pane.mark(found);
      if (pane === this) continue;
      if (found.size) pane.list.children[Math.min(...found)].scrollIntoView({ block: "nearest" });
      texts.push(`${found.size} lines of ${pane.level.value}`);
    }
    byId("tw-status").textContent =
      `Line ${number + 1} of ${this.level.value}: ${texts.join(", ")}. ${this.nodes(number)}`;
  }

  nodes(number) {
    const names = (this.listing.n[number] ?? []).map((each) => this.state.names[each]);
    return names.length ? `Nodes: ${names.join(", ")}` : "";
  }

  // Lines of this pane that belong to a line of another one: lines of the same line of the loops,
  // else lines of the same nodes.
  linked(other, number) {
    const place = other.listing.l[number];
    const found = new Set();
    if (place && this.listing.l.length && this.fine && other.fine) {
      this.listing.l.forEach((each, row) => each === place && found.add(row));
      return found;
    }
    const nodes = other.nodesAt(number).join();
    for (let row = 0; nodes && row < this.list.children.length; row++) {
      if (this.nodesAt(row).join() === nodes) found.add(row);
    }
    return found;
  }

  // Whether the lines are those of the loops, or of code with a line table.
  get fine() {
    return this.listing.f === 1;
  }

  // The nodes of a line; a line of code has those of its line of the loops.
  nodesAt(number) {
    const own = this.listing.n[number] ?? [];
    const place = this.listing.l[number];
    if (own.length || !place || !this.fine) return own;
    return this.state.nodesOfLine.get(place) ?? [];
  }

  mark(found) {
    [...this.list.children].forEach((row, number) => {
      row.setAttribute("aria-selected", found.has(number));
      row.classList.toggle("tw-linked", found.has(number));
    });
  }
}

// ---- schedules

function showStep(state) {
  const { states } = state.kernel;
  const number = Number(byId("tw-step").value);
  byId("tw-step").setAttribute("aria-valuetext", states[number]?.[0] || "before the schedule");
  byId("tw-nest").replaceChildren(...state.color[""](states[number]?.[1] ?? ""));
  [...byId("tw-steps").children].forEach((each, row) =>
    row === number ? each.setAttribute("aria-current", "step") : each.removeAttribute("aria-current"));
}

function showSchedule(state) {
  const { states } = state.kernel;
  byId("tw-step").max = Math.max(0, states.length - 1);
  byId("tw-step").value = 0;
  byId("tw-steps").replaceChildren(...states.map(([step]) =>
    make("li", {}, make("code", {}, step || "tensor expressions"))));
  showStep(state);
}

function play(state) {
  const button = byId("tw-play"), slider = byId("tw-step");
  if (state.timer) {
    clearInterval(state.timer);
    state.timer = 0;
    button.textContent = "Play";
    return;
  }
  if (slider.value === slider.max) slider.value = 0;
  button.textContent = "Stop";
  state.timer = setInterval(() => {
    if (slider.value === slider.max) return play(state);
    slider.stepUp();
    showStep(state);
  }, 900);
}

// ---- the page

async function start() {
  const data = await unpacked();
  const color = { "": highlighter(data.rules) };
  for (const [kind, comment] of Object.entries(data.comments)) {
    color[kind] = highlighter([["comment", comment], ...data.rules.slice(1)]);
  }
  const state = { names: data.names, color, panes: [], timer: 0 };
  state.panes = [new Pane("left", state), new Pane("right", state)];
  const choice = byId("tw-kernel");
  choice.replaceChildren(...data.kernels.map((each, number) =>
    make("option", { value: number }, each.name)));
  const show = () => {
    state.kernel = data.kernels[Number(choice.value)];
    state.nodesOfLine = new Map();
    for (const each of Object.values(state.kernel.listings)) {
      if (each.f && each.n.length) each.l.forEach((l, row) => state.nodesOfLine.set(l, each.n[row]));
    }
    const levels = Object.keys(state.kernel.listings);
    for (const pane of state.panes) pane.listing = { t: "", n: [], l: [] };
    state.panes[0].offer(levels, data.levels[0]);
    state.panes[1].offer(levels, data.levels[1]);
    showSchedule(state);
  };
  choice.addEventListener("change", show);
  const follow = () => {
    const wanted = decodeURIComponent(location.hash.replace("#kernel-", ""));
    const number = data.kernels.findIndex((each) => each.name === wanted);
    if (number < 0) return;
    choice.value = number;
    show();
    byId("listings").scrollIntoView();
    choice.focus({ preventScroll: true });
  };
  addEventListener("hashchange", follow);
  byId("tw-step").addEventListener("input", () => showStep(state));
  byId("tw-play").addEventListener("click", () => play(state));
  if (data.kernels.length) show();
  follow();
  document.documentElement.dataset.ready = "yes";
}

start();
