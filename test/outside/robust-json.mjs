import { PassThrough } from 'node:stream';
import { kindOf, readRequest, writeRequest, edge } from 'waybill/adapter';
import { liftStream } from 'waybill/server/node';
import { rows, same, tally } from './cases.mjs';

const good = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

/** Any document as a line, a body or a value: the process stays up, and the next good request is answered. */
export async function robustJson(dir) {
  const documents = rows(dir, 'parsing.jsonl').map((one) => ({ ...one, bytes: Buffer.from(one.base64, 'base64') }));
  return [
    await tally(
      'as a line on stdin',
      documents.filter((one) => !one.hasNewline),
      async ({ bytes }) => {
        const out = await throughLifter([bytes, Buffer.from('\n'), Buffer.from(`${JSON.stringify(good)}\n`)]);
        const expected = Buffer.concat([bytes, Buffer.from(`\n${JSON.stringify(good)}\n`)]);
        return out.equals(expected) ? undefined : 'did not pass byte for byte';
      },
    ),
    await tally('as an HTTP body', documents, async ({ bytes, expect }) => {
      const seen = [];
      const handler = edge((_request, options) => (seen.push(options.parsedBody), new Response('{}')), {
        message: (message) => (readRequest(message).issues, message),
      });
      const post = (body) =>
        handler(new Request('http://a.example/mcp', { method: 'POST', body, headers: { 'content-type': 'application/json' } }));
      const response = await post(bytes);
      if (expect === 'reject' && response.status < 400) return `was accepted with ${response.status}`;
      if (expect === 'accept' && response.status !== 200) return `was refused with ${response.status}`;
      const next = await post(JSON.stringify(good));
      return next.status === 200 && same(seen.at(-1), good) ? undefined : 'the next good request was not answered';
    }),
    await tally(
      'as a state value',
      documents.filter((one) => one.expect === 'accept'),
      ({ bytes }) => {
        // Written and read once before: JSON.stringify turns -0 into 0, with or without us.
        const value = JSON.parse(JSON.stringify(JSON.parse(bytes.toString('utf8'))));
        const state = { session: new Map([['v', value]]) };
        const read = readRequest(JSON.parse(JSON.stringify(writeRequest(good, { state })))).state;
        return value === null || same(read, state) ? undefined : 'did not come back as it was';
      },
    ),
    await tally(
      'as a message',
      documents.filter((one) => one.nodeAccepts),
      ({ bytes }) => {
        const message = JSON.parse(bytes.toString('utf8'));
        kindOf(message);
        void readRequest(message).issues;
        return undefined;
      },
    ),
  ];
}

async function throughLifter(chunks) {
  const input = new PassThrough();
  const out = [];
  const done = (async () => {
    for await (const chunk of liftStream(input)) out.push(chunk);
  })();
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await done;
  return Buffer.concat(out);
}
