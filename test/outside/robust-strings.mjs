import { keys } from 'waybill';
import { readRequest, readResult, writeRequest, writeResult, hookFetch } from 'waybill/adapter';
import { rows, same, tally } from './cases.mjs';

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } };
const answer = { jsonrpc: '2.0', id: 1, result: { content: [] } };
const over = (message) => JSON.parse(JSON.stringify(message));

/** Strings that often break programs: exact round trips as names and values, and never a second header. */
export async function robustStrings(dir) {
  const strings = rows(dir, 'blns.jsonl');
  const names = rows(dir, 'state-keys.jsonl').map((one) => ({ ...one, text: one.key }));
  const injections = rows(dir, 'header-injection.jsonl').map((one) => ({ ...one, text: one.value }));
  const all = [...strings, ...names, ...injections];
  return [
    await tally('as a state name and value, request and result', all, ({ text }) => {
      const state = { session: new Map([[text, text]]), server: new Map([[text, { [text]: [text] }]]) };
      const sent = readRequest(over(writeRequest(call, { state })));
      const set = readResult(over(writeResult(answer, { state })));
      if (!same(sent.state, state) || !same(set.state, state)) return 'did not come back exactly';
      return Object.keys(Object.prototype).length === 0 ? undefined : 'polluted Object.prototype';
    }),
    await tally('as any context value: read without a throw', all, ({ text }) => {
      const meta = Object.fromEntries([keys.ACCEPT_LANGUAGE, keys.TRACEPARENT, keys.TRACESTATE, keys.BAGGAGE].map((key) => [key, text]));
      const environment = { timezone: text, currentTimestamp: text, locale: text, userLocation: { city: text, country: text } };
      void readRequest({ ...call, params: { _meta: { ...meta, [keys.CLIENT_CONTEXT]: environment } } }).issues;
      return undefined;
    }),
    await tally('as a preference: header and body agree, or neither is sent', all, async ({ text }) => {
      let sent;
      const fetch = hookFetch((url, init) => ((sent = new Request(url, init)), Promise.resolve(new Response())));
      const message = { ...call, params: { _meta: { [keys.ACCEPT_LANGUAGE]: text } } };
      await fetch('http://a.example/mcp', { method: 'POST', body: JSON.stringify(message) });
      const header = sent.headers.get('accept-language');
      const inBody = JSON.parse(await sent.text()).params?._meta?.[keys.ACCEPT_LANGUAGE];
      if ([...sent.headers.keys()].some((name) => name.startsWith('x-'))) return 'sent a second header';
      return (header ?? undefined) === inBody ? undefined : `header ${JSON.stringify(header)}, body ${JSON.stringify(inBody)}`;
    }),
    await tally('as a trace value we write: only what is header-safe leaves', all, ({ text }) => {
      const written = writeRequest(call, { trace: { traceparent: text, tracestate: text, baggage: text }, language: text });
      const bad = Object.values(written.params._meta ?? {}).filter((value) => typeof value === 'string' && /[^\x20-\x7e\t]/.test(value));
      return bad.length === 0 ? undefined : `wrote ${JSON.stringify(bad)}`;
    }),
  ];
}
