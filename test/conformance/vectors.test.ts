/** The vectors of the kit against our library, and the Python runner that shows another language using them. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { range } from '@waybill/time';
import { describe, expect, it } from 'vitest';
import { agreeOnField } from '../../packages/waybill/src/wire/language/agree.js';
import { missingCapabilities } from '../../packages/waybill/src/wire/capabilities/match.js';
import { isValidTimeZone } from '../../packages/waybill/src/wire/environment/zone.js';
import { applyState, state } from '../../packages/waybill/src/wire/state.js';
import { parseBaggage } from '../../packages/waybill/src/wire/trace/baggage.js';
import { isTracestate } from '../../packages/waybill/src/wire/trace/tracestate.js';
import { isAllowedStateHost, negotiateLanguage, parseTraceparent } from '../outside/adapter.mjs';

const folder = fileURLToPath(new URL('../../packages/conformance/vectors/', import.meta.url));
const cases = (name: string): any[] => JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')).cases;
const instants = (found: any) => [found.start, found.end].map((moment) => moment.toInstant().toString());
const en = { language: 'en', now: '2026-01-01T00:00:00Z' };

/** Returns what is kept of one scope after a result has set it. */
function keptAfter({ kept, set }: any): unknown {
  const { session = new Map() } = state.result.read({ 'modelcontextprotocol.io/state/session': set }, () => undefined, {}) ?? {};
  return Object.fromEntries(applyState(new Map(Object.entries(kept)), session));
}

const READERS: Record<string, (one: any) => [got: unknown, expected: unknown]> = {
  agreement: ({ lines, meta, agree }) => [meta === null || lines.length === 0 || agreeOnField(meta, lines), agree],
  negotiation: ({ preference, available, chosen }) => [negotiateLanguage(preference, available) ?? null, chosen],
  zones: ({ zone, valid }) => [isValidTimeZone(zone), valid],
  days: ({ zone, date, start, end }) => [instants(range(date, { ...en, timezone: zone } as any)), [start, end]],
  phrases: ({ phrase, zone, now, start, end }) => [instants(range(phrase, { ...en, timezone: zone, now } as any)), [start, end]],
  hosts: ({ host, allowed }) => [isAllowedStateHost(`https://${host}/`), allowed],
  state: (one) => [keptAfter(one), one.after],
  trace: ({ traceparent, tracestate, baggage, valid, members }) => {
    if (baggage !== undefined) return [parseBaggage(baggage).map(({ key, value }) => [key, value]), members];
    return [tracestate === undefined ? parseTraceparent(traceparent) !== undefined : isTracestate(tracestate), valid];
  },
  capabilities: ({ requires, declares, met }) => [missingCapabilities(requires, declares) === undefined, met],
};

describe('vectors against our library', () => {
  for (const [name, read] of Object.entries(READERS))
    it.each(cases(name).map((one) => [JSON.stringify(one), one]))(`${name} %s`, (_, one) => {
      const [got, expected] = read(one);
      expect(got).toEqual(expected);
    });
});

const python = spawnSync('python3', ['--version']).status === 0;
it.skipIf(!python)('the Python runner agrees with every vector', () => {
  const { status, stdout } = spawnSync('python3', [`${folder}run.py`], { encoding: 'utf8' });
  for (const name of Object.keys(READERS)) expect(stdout).toMatch(new RegExp(`^${name}: [1-9]\\d* cases$`, 'm'));
  expect(status).toBe(0);
});
