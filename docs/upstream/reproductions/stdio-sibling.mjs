#!/usr/bin/env node
// A stdio server of either SDK drops a request with an unknown member beside `params`, without an answer: the caller waits for its own timeout.
//   node stdio-sibling.mjs     needs @modelcontextprotocol/server 2.x and @modelcontextprotocol/sdk 1.x; exit code 1 while the fault is there
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

if (process.argv[2] === 'v1') {
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  await new McpServer({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: {} } }).connect(new StdioServerTransport());
} else if (process.argv[2] === 'v2') {
  const { McpServer } = await import('@modelcontextprotocol/server');
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  serveStdio(() => new McpServer({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: {} } }));
} else {
  for (const sdk of ['v1', 'v2']) {
    const answered = await ask(sdk);
    console.log(`SDK ${sdk}: ping without the member: ${answered.plain}; with "clientContext" beside params: ${answered.sibling}`);
    if (answered.sibling === 'no answer') process.exitCode = 1;
  }
}

/** Sends three requests. The server answers in order, so once the third is answered, the second was dropped or answered. */
async function ask(sdk) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), sdk], { stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = new Map();
  const lines = createInterface(child.stdout);
  const last = new Promise((resolve) =>
    lines.on('line', (line) => {
      const { id, error } = JSON.parse(line);
      answers.set(id, error === undefined ? 'an answer' : `error ${error.code}`);
      if (id === 3) resolve();
    }),
  );
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'host', version: '1.0.0' } };
  send({ id: 0, method: 'initialize', params: hello });
  send({ method: 'notifications/initialized' });
  send({ id: 1, method: 'ping' });
  send({ id: 2, method: 'ping', clientContext: { timezone: 'Europe/Vienna' } });
  send({ id: 3, method: 'ping' });
  await last;
  child.kill();
  await once(child, 'close');
  return { plain: answers.get(1) ?? 'no answer', sibling: answers.get(2) ?? 'no answer' };
}
