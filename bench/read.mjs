// @ts-check
import * as v1 from '@modelcontextprotocol/sdk/types.js';
import * as v2 from '@modelcontextprotocol/server';
import { readRequest } from 'waybill/adapter';
import { race } from './harness.mjs';

/** A call with all five concerns and so many state names. @param {number} names */
function request(names) {
  const state = Object.fromEntries(Array.from({ length: names }, (_, index) => [`name ${index}`, { items: [index], at: 'x' }]));
  return {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'query_sales',
      arguments: { period: 'last month' },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} }, sampling: { tools: {} } },
        'io.modelcontextprotocol/acceptLanguage': 'fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5',
        'io.modelcontextprotocol/clientContext': {
          timezone: 'Europe/Zurich',
          currentTimestamp: '2026-10-25T02:30:00+01:00',
          locale: 'fr-CH',
          userLocation: { country: 'CH' },
        },
        'modelcontextprotocol.io/state/session': state,
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        tracestate: 'vendor=1,other=2',
      },
    },
  };
}
const message = request(8);

/** Everything a handler can ask for. @param {unknown} given */
function readAll(given) {
  const context = readRequest(given);
  if (!context.language || !context.environment || !context.state || !context.trace || !context.capabilities || context.issues.length > 0)
    throw new Error('not read');
}

/** @param {(given: any) => unknown} run @param {unknown} given */
const repeat = (run, given) => (/** @type {number} */ n) => {
  for (let i = 0; i < n; i++) run(given);
};

/** The checks that an SDK runs on every incoming call: is it a result, is it an error, is it a request, and does it fit the method's schema. @param {any} sdk @param {(given: unknown) => unknown} fits */
const validation = (sdk, fits) => (/** @type {unknown} */ given) => {
  if (sdk.isJSONRPCResultResponse(given) || sdk.isJSONRPCErrorResponse(given) || !sdk.isJSONRPCRequest(given))
    throw new Error('not a request');
  return fits(given);
};
const v2Call = /** @type {any} */ (v2.specTypeSchemas).CallToolRequest['~standard'];

export const title = 'Wire: reading a request';

export const rows = [
  {
    name: 'full read of five concerns beside SDK v2 validation',
    peer: 'SDK v2: what it validates of an incoming call',
    ratio: 'ours/peer',
    target: 1,
    arms: {
      ours: repeat(readAll, message),
      peer: repeat(
        validation(v2, (given) => v2Call.validate(given)),
        message,
      ),
    },
  },
  {
    name: 'full read of five concerns beside SDK v1 validation',
    peer: 'SDK v1: what it validates of an incoming call',
    ratio: 'ours/peer',
    target: 1,
    arms: {
      ours: repeat(readAll, message),
      peer: repeat(
        validation(v1, (given) => v1.CallToolRequestSchema.safeParse(given)),
        message,
      ),
    },
  },
  {
    name: 'cost of one state name, 1,000 names beside 100',
    peer: 'the same read with 100 names',
    ratio: 'ours/peer',
    target: 1.5,
    /** @param {{ quick: boolean }} options */
    async measure(options) {
      const figures = await race(
        { ours: repeat(readAll, request(1000)), peer: repeat(readAll, request(100)) },
        { ...options, ratio: 'ours/peer' },
      );
      return {
        ours: figures.ours / 1000,
        peer: figures.peer / 100,
        ratio: figures.ratio / 10,
        p10: figures.p10 / 10,
        p90: figures.p90 / 10,
        unit: 'µs a name',
      };
    },
  },
];
