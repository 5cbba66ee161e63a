import Ajv from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { kindOf } from 'waybill/adapter';

/** Whole messages stay; params and results are put into the smallest message that holds them. */
export function asMessage({ type, isMessage, json }) {
  if (isMessage) return kindOf(json) === undefined ? undefined : json;
  if (/RequestParams$/.test(type)) return { jsonrpc: '2.0', id: 1, method: 'x/y', params: json };
  if (/NotificationParams$/.test(type)) return { jsonrpc: '2.0', method: 'notifications/x', params: json };
  if (/Result$/.test(type)) return { jsonrpc: '2.0', id: 1, result: json };
  if (/Error$/.test(type)) return { jsonrpc: '2.0', id: 1, error: json };
  return undefined;
}

/** The types of a schema of the specification, to check values against. */
export function validators(file) {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const schema = JSON.parse(readFileSync(file, 'utf8'));
  ajv.addSchema(schema, 'mcp');
  return {
    has: (name) => schema.$defs[name] !== undefined,
    test: (name, value) => ajv.validate({ $ref: `mcp#/$defs/${name}` }, value),
  };
}
