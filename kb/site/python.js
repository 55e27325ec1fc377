/* Python with the laws, beside the page: what the page asks is answered one after the other. */
const started = (async () => {
  const { loadPyodide } = await import("./pyodide.mjs");
  const python = await loadPyodide();
  python.unpackArchive(await (await fetch("workshop.zip")).arrayBuffer(), "zip", { extractDir: "/revoke" });
  python.runPython("import sys\nsys.path.insert(0, '/revoke')\nfrom pathlib import Path\nfrom kb.site.workshop import Workshop\nworkshop = Workshop(Path('/revoke/rules'))");
  return [python, python.globals.get("workshop")];
})();

onmessage = async ({ data: { id, name, given } }) => {
  try {
    const [python, workshop] = await started;
    const made = workshop.asked(name, ...given.map((one) => python.toPy(one)));
    postMessage({ id, ...made.toJs({ dict_converter: Object.fromEntries }) });
    made.destroy();
  } catch (error) {
    postMessage({ id, found: null, faults: [{ file: "", line: 1, what: String(error.message || error).trim().split("\n").at(-1), mend: "" }] });
  }
};
