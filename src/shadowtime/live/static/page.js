// A page of the book with live figures: Python starts in a worker while the charts are drawn.

// Pixels below what the reader sees, within which a figure is near enough for Python to start.
const MARGIN = 600;

// Python in a web worker, one for all figures of a page.
class Browser {
  constructor(addresses) {
    this.addresses = addresses;
    this.calls = new Map();
    this.serial = 0;
    this.files = new Map();
    this.start(globalThis.earlyPython);
  }

  start(worker = startPython(this.addresses)) {
    this.worker = worker;
    this.started = worker.first.then(({ failed }) => {
      if (failed) throw new Error(failed);
      worker.onmessage = ({ data }) => {
        if (data.progress) this.calls.get(data.serial)?.tell?.(data.progress);
        else this.settle(data);
      };
    });
    // Each figure reports a failure itself, in `prepare`; none may be connected yet.
    this.started.catch(() => {});
  }

  settle({ serial, text }) {
    const { resolve, reject } = this.calls.get(serial);
    this.calls.delete(serial);
    const result = JSON.parse(text);
    if (result.error) reject(new Error(result.error));
    else resolve(result);
  }

  async prepare(figure) {
    await this.started;
    // The first call imports the figure's module; what it computes is in the page already.
    await this.compute(figure, figure.defaults);
  }

  // Give Python a file of the reader's, which stays in this browser; returns its path there.
  async receive(file) {
    const path = `/files/${this.files.size + 1}/${file.name}`;
    const bytes = new Uint8Array(await file.arrayBuffer());
    this.files.set(path, bytes);
    this.worker.postMessage({ path, bytes });
    return path;
  }

  // Python cannot be interrupted: it ends with its worker, and another one starts.
  async cancel() {
    this.worker.terminate();
    for (const { reject } of this.calls.values()) reject(new Error("Cancelled."));
    this.calls.clear();
    this.start();
    await this.started;
    for (const [path, bytes] of this.files) this.worker.postMessage({ path, bytes });
  }

  async compute(figure, params, tell) {
    await this.started;
    this.serial += 1;
    const serial = this.serial;
    return new Promise((resolve, reject) => {
      this.calls.set(serial, { resolve, reject, tell });
      this.worker.postMessage({ serial, target: figure.compute, params: JSON.stringify(params) });
    });
  }
}

// Addresses: `worker` is worker.js, `figures` is live.js with its libraries, `python` is the folder
// of Pyodide, `core` the archive of modules.
async function startPage(addresses) {
  let browser = null;
  const start = () => (browser ??= new Browser(addresses));
  const figures = () => [...document.querySelectorAll("figure.st-live")];
  const isNear = (figure) => figure.getBoundingClientRect().top < innerHeight + MARGIN;
  if (document.readyState === "loading") {
    await new Promise((whole) => {
      document.addEventListener("readystatechange", whole, { once: true });
    });
  }
  if (figures().some(isNear)) start();
  const near = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      near.disconnect();
      start();
    },
    { rootMargin: `${MARGIN}px` },
  );
  for (const figure of figures()) near.observe(figure);
  const { openPage } = await import(addresses.figures);
  openPage(start);
}
