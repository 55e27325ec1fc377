// What real consumers make of files: node read.mjs NODE_MODULES WHAT FILE...; prints JSON.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, what, ...files] = process.argv.slice(2);
const require = createRequire(`${modules}/x.js`);
const load = (name) => import(pathToFileURL(require.resolve(name)));
const readers = {
  async gift() {
    const { parse } = require("gift-pegjs");
    return files.map((file) => parse(readFileSync(file, "utf-8")).map((one) => [one.type, one.choices?.length]));
  },
  async yaml() { // the language server, as an editor speaks to it
    const server = spawn(process.execPath, [require.resolve("yaml-language-server/bin/yaml-language-server"), "--stdio"]);
    const send = (message) => {
      const text = JSON.stringify({ jsonrpc: "2.0", ...message });
      server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    };
    const told = {}, wanted = new Set(files.map((file) => pathToFileURL(file).href));
    let held = Buffer.alloc(0), done;
    const all = new Promise((resolve) => { done = resolve; });
    server.stdout.on("data", (data) => {
      held = Buffer.concat([held, data]);
      for (;;) {
        const head = /^Content-Length: (\d+)[^]*?\r\n\r\n/.exec(held.toString("latin1"));
        if (!head || held.length < head[0].length + Number(head[1])) return;
        const message = JSON.parse(held.subarray(head[0].length, head[0].length + Number(head[1])));
        held = held.subarray(head[0].length + Number(head[1]));
        if (message.id !== undefined && message.method)
          send({ id: message.id, result: message.method === "workspace/configuration" ? message.params.items.map(() => ({})) : null });
        if (message.id === 1 && !message.method) {
          send({ method: "initialized", params: {} });
          for (const file of files)
            send({ method: "textDocument/didOpen", params: { textDocument: { uri: pathToFileURL(file).href, languageId: "yaml", version: 1, text: readFileSync(file, "utf-8") } } });
        }
        if (message.method === "textDocument/publishDiagnostics") {
          told[message.params.uri] = message.params.diagnostics.map((one) => `${one.range.start.line + 1}: ${one.message}`);
          wanted.delete(message.params.uri);
          if (!wanted.size) setTimeout(done, 3000);
        }
      }
    });
    send({ id: 1, method: "initialize", params: { processId: process.pid, rootUri: null, capabilities: {} } });
    await all;
    server.kill();
    return told;
  },
  async ajv() { // a schema, then what is to be of its sort
    const { default: Ajv } = require("ajv/dist/2020");
    const [schema, ...made] = files.map((file) => JSON.parse(readFileSync(file, "utf-8")));
    const fits = new Ajv({ strict: false, allErrors: true }).compile(schema);
    return made.map((one) => (fits(one) ? [] : fits.errors.map((error) => `${error.instancePath} ${error.message}`)));
  },
  async mcp() {
    const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StdioClientTransport({ command: files[0], args: ["-m", "kb.cli", "mcp"] }));
    const law = await client.callTool({ name: "law", arguments: { clause: "64A1" } });
    const odd = await client.callTool({ name: "law", arguments: { clause: "64A1", lang: "de" } });
    const made = { version: client.getServerVersion().version, law: law.content[0].text, odd: [odd.isError, odd.content[0].text] };
    await client.close();
    return made;
  },
};
console.log(JSON.stringify(await readers[what]()));
process.exit(0);
