// Python for the figures of a page: Pyodide with the core of shadowtime, no further packages.

let pyodide = null;
let answer = null;
let serial = 0;

async function start({ python, core }) {
  const archive = fetch(core).then((response) => {
    if (!response.ok) throw new Error(`${core}: ${response.status} ${response.statusText}`);
    return response.arrayBuffer();
  });
  const { loadPyodide } = await import(`${python}pyodide.mjs`);
  pyodide = await loadPyodide({ indexURL: python });
  pyodide.FS.writeFile("/shadowtime.zip", new Uint8Array(await archive));
  pyodide.runPython("import sys; sys.path.insert(0, '/shadowtime.zip')");
  answer = pyodide.pyimport("shadowtime.live.answer").respond;
  const { listen } = pyodide.pyimport("shadowtime.live.progress");
  listen((text) => postMessage({ serial, progress: text }));
}

onmessage = async ({ data }) => {
  if (data.python) {
    try {
      await start(data);
      postMessage({ ready: true });
    } catch (error) {
      postMessage({ failed: error.message });
    }
    return;
  }
  if (data.path) {
    pyodide.FS.mkdirTree(data.path.slice(0, data.path.lastIndexOf("/")));
    pyodide.FS.writeFile(data.path, data.bytes);
    return;
  }
  const { target, params } = data;
  serial = data.serial;
  postMessage({ serial, text: answer(target, params) });
};
