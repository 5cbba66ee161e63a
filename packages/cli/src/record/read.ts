import type { JsonObject } from 'waybill';
import type { AttachOptions, ClientContext } from 'waybill/client';
import { usage } from '../failure.js';
import { readJsonFile } from '../json.js';
import { jarInMemory } from '../session/jar.js';
import type { SessionOptions } from '../session/session.js';
import type { Target } from '../target/target.js';
import { type CallRecord, RECORDED_METHODS, type RecordedState } from './record.js';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

export async function readRecord(file: string): Promise<CallRecord> {
  const value = await readJsonFile(file);
  const problem = problemOf(value);
  if (problem !== undefined) throw usage(`${file}: is not a record: ${problem}`, 'waybill call … --record FILE writes one.');
  return value as CallRecord;
}

function problemOf(value: unknown): string | undefined {
  if (!isObject(value)) return 'expected one JSON object';
  if (value['record'] !== 1)
    return value['record'] === undefined ? '"record" is missing' : `version ${JSON.stringify(value['record'])} is not known`;
  for (const name of ['context', 'request']) if (!isObject(value[name])) return `"${name}" has to be an object`;
  const { method, params } = value['request'] as Record<string, unknown>;
  if (typeof method !== 'string' || !RECORDED_METHODS.includes(method))
    return `"request.method" has to be one of ${RECORDED_METHODS.join(', ')}`;
  if (!isObject(params)) return '"request.params" has to be an object';
  const { state } = value['context'] as Record<string, unknown>;
  if (state !== undefined && !(isObject(state) && Object.values(state).every(isObject))) return '"context.state" has to hold objects';
  if (!Array.isArray(value['answers'])) return '"answers" has to be a list';
  return 'result' in value ? undefined : '"result" is missing';
}

/** The session that repeats the call of a record: under its context, on its revision, with its answers. */
export async function sessionOfRecord(record: CallRecord, target: Target, hasJar: boolean): Promise<SessionOptions> {
  const { language, timezone, locale, now, location, capabilities = {}, state } = record.context;
  const { extensions: _, state: _declared, ...own } = capabilities;
  const environment = { timezone: timezone ?? null, locale: locale ?? null, now: now ?? null, ...(location !== undefined && { location }) };
  const values = { language: language ?? null, environment };
  const given = { capabilities: own as JsonObject, revision: record.revision };
  // A jar named by the user replaces the state in the record.
  if (state === undefined || hasJar) return { ...given, values };
  return { ...given, values: { ...values, state: await jarInMemory(target) }, attach: (waybill) => withState(waybill, state) };
}

/** Puts the recorded state where the target of the user finds it. */
export async function withState({ jar }: ClientContext, state: RecordedState): Promise<AttachOptions> {
  const conversation = jar?.begin();
  for (const scope of ['session', 'server'] as const)
    for (const [name, value] of Object.entries(state[scope] ?? {})) {
      await jar?.edit(REPLAYED, name, value, { scope, ...(scope === 'session' && conversation !== undefined && { conversation }) });
    }
  return { server: REPLAYED, ...(conversation !== undefined && { conversation }) };
}

const REPLAYED = 'replay';
