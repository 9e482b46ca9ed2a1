// Start Python in a web worker. `first` of the worker is its first message: ready, or failed.
// A page that shows a figure at once does so in its head, before anything else is there.
function startPython({ worker, python, core }) {
  const started = new Worker(worker, { type: "module" });
  started.first = new Promise((resolve, reject) => {
    started.onmessage = ({ data }) => resolve(data);
    started.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message || "the worker could not be loaded"));
    };
  });
  // Each figure reports a failure itself; none may be connected yet.
  started.first.catch(() => {});
  started.postMessage({ python, core });
  return started;
}

// Addresses are relative to the folder of the scripts; a worker needs whole ones.
function resolved(addresses, base) {
  const whole = Object.entries(addresses).map(([name, address]) => [name, new URL(address, base).href]);
  return Object.fromEntries(whole);
}
