// Live figures in a page: draw, listen to the controls, ask Python, draw again.
//
// Bundled with vega-embed (`vegaEmbed`) by assets.py, once for the book and for notebooks.
// An engine has `prepare(figure)` and `compute(figure, params)`; both return promises. The book's
// engine is Pyodide in a worker (page.js), the notebook's is the kernel (below).

const STARTING = "Starting Python in your browser …";
const WORKING = "Computing …";
const PATIENCE = 250; // milliseconds after which a computation is worth mentioning
const LONG = 1000; // and after which it can be cancelled

class Figure {
  constructor(root) {
    this.root = root;
    Object.assign(this, JSON.parse(this.part(".st-definition").textContent));
    this.form = this.part("form.st-controls");
    this.chart = this.part(".st-chart");
    this.engine = null;
    this.pending = null;
    this.busy = false;
    this.live = "";
  }

  part(selector) {
    return this.root.querySelector(selector);
  }

  // --- Chart

  async draw() {
    const holder = document.createElement("div");
    holder.className = "st-drawn";
    // Drawn out of sight at first: the still picture stays until the width is right.
    this.chart.append(holder);
    for (const source of this.spec.data) {
      if (source.name in this.data) source.values = this.data[source.name];
    }
    const { view } = await vegaEmbed(holder, this.spec, {
      mode: "vega",
      renderer: "svg",
      actions: false,
      logLevel: 1, // errors: an empty layer is no mistake, and Vega warns of it
      tooltip: { theme: "custom", disableDefaultStyle: true },
    });
    this.view = view;
    view.addEventListener("click", (_event, mark) => this.choose(mark?.datum ?? {}));
    this.svg = holder.querySelector("svg");
    this.svg.setAttribute("aria-hidden", "true"); // the chart's label says it all
    this.widths = (this.spec.signals ?? [])
      .filter(({ name, value }) => /width$/.test(name) && typeof value === "number")
      .map(({ name }) => name);
    await this.fit();
    this.chart.querySelector(":scope > svg")?.remove();
    holder.classList.add("st-shown");
    new ResizeObserver(() => this.fit()).observe(this.chart);
  }

  // Give the plot the width that its axes and headings leave, one fit at a time.
  async fit() {
    const room = Math.floor(this.chart.clientWidth);
    if (this.fitting || !room || room === this.room) return;
    this.fitting = true;
    for (let round = 0; round < 3; round += 1) {
      const spare = room - Math.ceil(this.svg.width.baseVal.value);
      if (spare === 0) break;
      this.widen(spare);
      // Vega lays out in the first run, and sets the size of the picture in a second.
      await this.view.resize().runAsync();
      await this.view.runAsync();
    }
    this.room = room;
    this.fitting = false;
    await this.fit();
  }

  widen(spare) {
    for (const name of this.widths) {
      this.view.signal(name, Math.max(80, this.view.signal(name) + spare));
    }
    if (!this.widths.length) this.view.width(Math.max(80, this.view.width() + spare));
  }

  async show({ data, key, readout, story }) {
    for (const [name, rows] of Object.entries(data)) this.view.data(name, rows);
    this.part(".st-key").innerHTML = key;
    this.part(".st-readout").innerHTML = readout;
    this.part(".st-story").innerHTML = story;
    await this.view.runAsync();
  }

  // --- Controls

  values() {
    const values = {};
    for (const input of this.form.elements) {
      if (!input.name) continue;
      if (input.type === "file") values[input.name] = input.dataset.path ?? "";
      else if (input.type === "range") values[input.name] = input.valueAsNumber;
      else if (input.type === "checkbox") values[input.name] = input.checked;
      else if (input.type !== "radio" || input.checked) values[input.name] = input.value;
    }
    return values;
  }

  // A click on a mark chooses the option of that name: a menu "job" follows a click on job J4.
  choose(datum) {
    for (const menu of this.form.querySelectorAll("select")) {
      const option = [...menu.options].find(({ text }) => text === datum[menu.name]);
      if (!option || menu.matches(":disabled")) continue;
      menu.value = option.value;
      this.request();
    }
  }

  place(values) {
    for (const input of this.form.elements) {
      if (!(input.name in values)) continue;
      const value = values[input.name];
      if (input.type === "checkbox") input.checked = value;
      else if (input.type === "radio") input.checked = input.value === value;
      else if (input.type === "file") {
        input.dataset.path = value;
        if (!value) input.value = "";
      } else input.value = value;
    }
    this.label();
  }

  label() {
    for (const input of this.form.querySelectorAll("input[type=range]")) {
      const output = input.parentElement.querySelector("output");
      output.textContent = input.value + output.dataset.unit;
      const part = (input.value - input.min) / (input.max - input.min);
      input.style.setProperty("--st-part", part);
      input.setAttribute("aria-valuetext", output.textContent);
    }
  }

  // --- Computation

  // Let the controls act, as soon as the engine is there.
  async connect(engine, { starting = "", live = "" } = {}) {
    if (this.engine) return;
    this.engine = engine;
    this.live = live;
    this.status(starting);
    try {
      await engine.prepare(this);
    } catch (error) {
      this.engine = null;
      this.status("");
      this.alert(`Python did not start: ${error.message}. The picture shown is the first one.`);
      return;
    }
    this.form.addEventListener("input", async ({ target }) => {
      if (target.type === "file") {
        const [file] = target.files;
        try {
          target.dataset.path = file ? await engine.receive(file) : "";
        } catch (error) {
          this.alert(error.message);
          return;
        }
      }
      this.label();
      this.request();
    });
    this.form.addEventListener("reset", (event) => {
      event.preventDefault();
      this.place(this.defaults);
      this.request();
    });
    this.part(".st-cancel").addEventListener("click", () => this.cancel());
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.label();
    this.form.querySelector("fieldset").disabled = false;
    this.root.classList.add("st-ready");
    this.status(live);
  }

  // One computation under way, and the latest values waiting: older ones are never computed.
  request() {
    this.pending = { params: this.values(), since: performance.now() };
    if (!this.busy) this.work();
  }

  async work() {
    this.busy = true;
    const waiting = setTimeout(() => this.status(WORKING), PATIENCE);
    const long = setTimeout(() => this.offerCancel(true), LONG);
    while (this.pending) {
      const { params, since } = this.pending;
      this.pending = null;
      try {
        await this.show(await this.engine.compute(this, params, (text) => this.tell(text)));
        this.computed = params;
        this.alert("");
      } catch (error) {
        if (!this.pending) this.alert(error.message);
      }
      performance.measure(`shadowtime:${this.name}`, { start: since, detail: params });
    }
    clearTimeout(waiting);
    clearTimeout(long);
    this.offerCancel(false);
    this.busy = false;
    this.status(this.live);
  }

  // How far Python has come. Not for a screen reader, which would read every line.
  tell(text) {
    this.part(".st-progress").textContent = text;
  }

  offerCancel(offered) {
    this.part(".st-work").hidden = !(offered && this.engine.cancel);
    if (!offered) this.tell("");
  }

  // Give up what is being computed; the controls go back to what the picture shows.
  async cancel() {
    this.pending = null;
    this.place(this.computed ?? this.defaults);
    this.form.querySelector("fieldset").disabled = true;
    try {
      await this.engine.cancel();
    } catch (error) {
      this.alert(`Python did not start again: ${error.message}`);
      return;
    }
    this.form.querySelector("fieldset").disabled = false;
  }

  status(text) {
    const line = this.part(".st-status");
    if (line.textContent !== text) line.textContent = text;
  }

  alert(text) {
    const line = this.part(".st-error");
    line.hidden = !text;
    if (line.textContent !== text) line.textContent = text;
  }
}

// Draw the figures of a page of the book, and connect each when it comes near or is touched.
// `start` returns the page's engine, and starts it when first called.
export function openPage(start) {
  const connect = (figure) => {
    figure.connect(start(), { starting: STARTING, live: "Live: computed by Python in your browser." });
  };
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        connect(target.figure);
      }
    },
    { rootMargin: "600px" },
  );
  for (const root of document.querySelectorAll("figure.st-live")) {
    const figure = new Figure(root);
    root.figure = figure;
    figure.draw().then(
      () => {
        near.observe(root);
        for (const touch of ["pointerdown", "focusin"]) {
          root.addEventListener(touch, () => connect(figure), { once: true });
        }
      },
      (error) => figure.alert(`The chart could not be drawn: ${error.message}`),
    );
  }
}

const PIECE = 4 << 20; // bytes of a file in a message: servers refuse messages of more than 10 MiB

// The same figure as a notebook widget: the kernel computes.
class Kernel {
  constructor(model) {
    this.model = model;
    this.name = crypto.randomUUID();
    this.serial = 0;
    this.call = null;
  }

  async prepare() {}

  // Give the kernel a file of the reader's, piece by piece; returns its path there.
  async receive(file) {
    this.serial += 1;
    const ask = `${this.name} ${this.serial}`;
    const path = new Promise((resolve, reject) => {
      const listen = (said) => {
        if (said.ask !== ask) return;
        this.model.off("msg:custom", listen);
        if (said.error) reject(new Error(said.error));
        else resolve(said.path);
      };
      this.model.on("msg:custom", listen);
    });
    let begin = 0;
    do {
      const piece = await file.slice(begin, begin + PIECE).arrayBuffer();
      begin += PIECE;
      const content = { ask, file: file.name, last: begin >= file.size };
      this.model.send(content, undefined, [piece]);
    } while (begin < file.size);
    return path;
  }

  compute(figure, params) {
    this.serial += 1;
    const ask = `${this.name} ${this.serial}`;
    return new Promise((resolve, reject) => {
      this.call = { ask, resolve, reject };
      this.model.send({ ask, params });
    });
  }

  // Whether this answers the request of our own view.
  settle({ ask, result, error }) {
    if (ask !== this.call?.ask) return false;
    if (error) this.call.reject(new Error(error));
    else this.call.resolve(result);
    this.call = null;
    return true;
  }
}

async function render({ model, el }) {
  el.innerHTML = model.get("markup");
  const figure = new Figure(el.querySelector("figure.st-live"));
  const kernel = new Kernel(model);
  const follow = async () => {
    const shown = model.get("shown");
    if (kernel.settle(shown)) return;
    figure.place(shown.params);
    if (shown.result) await figure.show(shown.result);
    figure.alert(shown.error ?? "");
  };
  // JupyterLab's shortcuts would take the arrow keys from the sliders.
  figure.root.addEventListener("keydown", (event) => event.stopPropagation());
  await figure.draw();
  await follow();
  model.on("change:shown", follow);
  await figure.connect(kernel, { live: "Live: computed by the kernel of this notebook." });
  return () => model.off("change:shown", follow);
}

export default { render };
