// A server of 2025-11-25 that cannot stand a request with a language: it ends, refuses, or changes the names of its tools. Or one whose calls fail.
import { createInterface } from 'node:readline';

const how = process.argv[2];
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const hasLanguage = params?._meta?.['io.modelcontextprotocol/acceptLanguage'] !== undefined;
  if (hasLanguage && how === 'ends') process.exit(7);
  if (hasLanguage && how === 'refuses') return say({ id, error: { code: -32602, message: 'unknown key' } });
  if (method === 'initialize') {
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'broken', version: '1' } };
    return say({ id, result });
  }
  if (method === 'tools/list') {
    const name = hasLanguage && how === 'renames' ? 'werkzeug' : 'tool';
    return say({ id, result: { tools: [{ name, inputSchema: { type: 'object' } }] } });
  }
  if (method === 'tools/call' && how === 'dies') throw new TypeError('no database');
  if (method === 'tools/call' && how === 'misfits') return say({ id, result: { content: 'text' } });
  if (method === 'tools/call' && how === 'breaks lines') return say({ id, error: { code: -32603, message: 'one\n two' } });
  if (method === 'waybill/unknown' && how === 'renames') return say({ id, result: {} });
  return say({ id, error: { code: -32601, message: 'no such method' } });
});
