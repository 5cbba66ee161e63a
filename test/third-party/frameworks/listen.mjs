/** For the fixtures: serves a listener of node:http, or a fetch handler, on a free port of the loopback interface. */
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';

export async function listen(listener) {
  const http = createServer(listener);
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${http.address().port}/mcp`);
}

export const listenFetch = (fetch) => listen(toNodeHandler({ fetch }));

/** For frameworks that must open their port themselves. */
export async function freePort() {
  const http = createServer();
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address();
  await new Promise((resolve) => http.close(resolve));
  return port;
}
