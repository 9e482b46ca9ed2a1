// Python for the figures of a page: Pyodide with the core of shadowtime, no further packages.

let answer = null;

async function start({ python, core }) {
  const archive = fetch(core).then((response) => {
    if (!response.ok) throw new Error(`${core}: ${response.status} ${response.statusText}`);
    return response.arrayBuffer();
  });
  const { loadPyodide } = await import(`${python}pyodide.mjs`);
  const pyodide = await loadPyodide({ indexURL: python });
  pyodide.FS.writeFile("/shadowtime.zip", new Uint8Array(await archive));
  pyodide.runPython("import sys; sys.path.insert(0, '/shadowtime.zip')");
  answer = pyodide.pyimport("shadowtime.live.answer").respond;
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
  const { serial, target, params } = data;
  postMessage({ serial, text: answer(target, params) });
};
