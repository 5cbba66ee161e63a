// A raw MCP server over stdio that is hard on a page: a title that is a script, 50 MB of text, silence, and an end without a word.
import { createInterface } from 'node:readline';

const SCRIPT = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
const tools = ['script', 'huge', 'silent', 'die', 'echo'].map((name) => ({
  name,
  title: name === 'script' ? SCRIPT : name,
  description: SCRIPT,
  inputSchema: { type: 'object', properties: {} },
}));
const text = (words) => ({ content: [{ type: 'text', text: words }] });

const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'hostile', title: SCRIPT, version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name }) => {
    if (name === 'die') process.exit(1);
    if (name === 'silent') return undefined;
    return text(name === 'huge' ? 'x'.repeat(50_000_000) : SCRIPT);
  },
};

for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line);
  const result = answers[method]?.(params ?? {});
  if (id !== undefined && (result !== undefined || answers[method] === undefined))
    process.stdout.write(
      `${JSON.stringify(result === undefined ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown' } } : { jsonrpc: '2.0', id, result })}\n`,
    );
}
