import path from 'node:path';
import {
  concernNames,
  kindOf,
  readError,
  readNotification,
  readRequest,
  readResult,
  strip,
  writeError,
  writeNotification,
  writeRequest,
  writeResult,
} from 'waybill/adapter';
import { keys } from 'waybill';
import { context, rows, same, tally } from './cases.mjs';
import { asMessage, validators } from './schema.mjs';

const write = { request: writeRequest, notification: writeNotification, result: writeResult, error: writeError };
const read = { request: readRequest, notification: readNotification, result: readResult, error: readError };
const ENVELOPE = [keys.PROTOCOL_VERSION, keys.CLIENT_CAPABILITIES];

/** The specification's own messages: they may change only by our own keys, and the messages we send must fit the schema. */
export async function examples(dir) {
  const messages = rows(dir, 'cases.jsonl')
    .map((one) => ({ ...one, message: asMessage(one) }))
    .filter((one) => one.message !== undefined);
  const schemas = ['2025-11-25', '2026-07-28'].map((revision) => [revision, validators(path.join(dir, `schema-${revision}.json`))]);
  return [
    await tally('pass unchanged where nothing is written', messages, ({ message }) => {
      const kind = kindOf(message);
      if (write[kind](message, {}) !== message) return 'came out as another object';
      const found = read[kind](message).issues;
      return found.length > 0 ? `gave issues: ${JSON.stringify(found)}` : undefined;
    }),
    await tally('change by our own keys alone', messages, ({ message }) => {
      const kind = kindOf(message);
      const written = write[kind](message, context[kind]);
      const back = strip(written, concernNames);
      const before = strip(message, concernNames);
      const cleaned = JSON.parse(JSON.stringify(back));
      for (const holder of [cleaned.params, cleaned.result]) {
        if (holder?._meta) delete holder._meta['com.example/correlation'];
        if (holder?._meta && Object.keys(holder._meta).length === 0) delete holder._meta;
      }
      if (kind === 'error' && cleaned.error.data && before.error.data === undefined && Object.keys(cleaned.error.data).length === 0)
        delete cleaned.error.data;
      if (kind !== 'error' && cleaned.params && before.params === undefined && Object.keys(cleaned.params).length === 0)
        delete cleaned.params;
      return same(cleaned, before) ? undefined : `became ${JSON.stringify(cleaned)}`;
    }),
    ...(await Promise.all(
      schemas.map(([revision, validate]) =>
        tally(`with full context fit the schema of ${revision} as before`, messages, ({ type, message }) => {
          const name = validate.has(type) ? type : undefined;
          if (name === undefined || !validate.test(name, message)) return undefined;
          const kind = kindOf(message);
          const values =
            kind === 'request' && revision === '2025-11-25' && hasEnvelope(message)
              ? { ...context[kind], capabilities: undefined }
              : context[kind];
          return validate.test(name, JSON.parse(JSON.stringify(write[kind](message, values)))) ? undefined : 'no longer fits';
        }),
      ),
    )),
  ];
}

function hasEnvelope(message) {
  return ENVELOPE.some((key) => message.params?._meta?.[key] !== undefined);
}
