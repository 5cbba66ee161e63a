import type { JsonObject } from 'waybill';
import type { ClientContextOptions } from 'waybill/client';
import { usage } from '../failure.js';
import { readJsonFile } from '../json.js';
import type { CallRecord } from './write.js';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const METHODS = ['tools/call', 'resources/read', 'prompts/get'];

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
  if (typeof method !== 'string' || !METHODS.includes(method)) return `"request.method" has to be one of ${METHODS.join(', ')}`;
  if (!isObject(params)) return '"request.params" has to be an object';
  if (!Array.isArray(value['answers'])) return '"answers" has to be a list';
  return 'result' in value ? undefined : '"result" is missing';
}

/** The context of a record as options of the session that repeats it. */
export function contextOfRecord({ context }: CallRecord): { values: Partial<ClientContextOptions>; capabilities: JsonObject } {
  const { language, timezone, locale, now, location, capabilities = {} } = context;
  const { extensions: _, ...own } = capabilities;
  return {
    values: {
      language: language ?? null,
      environment: { timezone: timezone ?? null, locale: locale ?? null, now: now ?? null, ...(location !== undefined && { location }) },
    },
    capabilities: own as JsonObject,
  };
}
