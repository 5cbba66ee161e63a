/** Checks a configuration against the published JSON Schema, and says what is wrong in words. */
import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { nearest } from 'waybill/adapter';
import type { Problem } from './problem.js';

let validate: ValidateFunction | undefined;

export function schema(): object {
  return JSON.parse(readFileSync(new URL('../../schema.json', import.meta.url), 'utf8')) as object;
}

export function checkShape(value: unknown): Problem[] {
  validate ??= new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true, strict: false }).compile(schema());
  if (validate(value)) return [];
  return (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames').map(problemOf);
}

const NO_OAUTH =
  'OAuth towards upstreams is not supported; write a token that does not change as `credentials: { Authorization: "Bearer …" }`';

function problemOf(error: ErrorObject): Problem {
  const { instancePath, keyword, params, data } = error;
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const member = keyword === 'additionalProperties' ? (params as { additionalProperty: string }).additionalProperty : error.propertyName;
  const words = path[2] === 'credentials' ? [path[3], data] : path.length === 2 && path[0] === 'upstreams' ? [member] : [];
  const asksForOAuth = words.some((word) => /^o?auth/i.test(String(word)));
  return { path, ...(member !== undefined && { member }), text: asksForOAuth ? NO_OAUTH : textOf(error, path) };
}

function textOf({ keyword, params, message, parentSchema, data, propertyName }: ErrorObject, path: readonly string[]): string {
  switch (keyword) {
    case 'additionalProperties': {
      const { additionalProperty } = params as { additionalProperty: string };
      return `unknown; ${oneOf(additionalProperty, Object.keys((parentSchema as { properties?: object }).properties ?? {}))}`;
    }
    case 'enum':
      return oneOf(data, (params as { allowedValues: string[] }).allowedValues);
    case 'type':
      return `expected ${[(params as { type: string | string[] }).type].flat().join(' or ')}`;
    case 'required':
      return `${(params as { missingProperty: string }).missingProperty} is missing`;
    case 'minProperties':
    case 'maxProperties':
      return `expected ${path[0] === 'identity' ? 'exactly one of jwt, trustedProxy, single' : 'at least one'}`;
    case 'minLength':
      return `expected at least ${(params as { limit: number }).limit} letters`;
    case 'pattern': {
      const example = exampleOf((params as { pattern: string }).pattern);
      return propertyName === undefined ? `expected a value such as ${example}` : `a name has only ${example}`;
    }
    default:
      return message ?? 'is not allowed';
  }
}

function oneOf(given: unknown, known: readonly string[]): string {
  const near = typeof given === 'string' ? nearest(given, known) : undefined;
  return near === undefined ? `expected one of ${known.join(', ')}` : `did you mean ${near}?`;
}

function exampleOf(pattern: string): string {
  if (pattern.includes('MB')) return '4MB';
  if (pattern.includes('ms')) return '30s';
  if (pattern.includes('https')) return 'https://host.example';
  return pattern.includes('/(s') ? '50/s' : 'letters, digits, dots, dashes and underscores';
}
