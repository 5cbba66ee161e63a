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
  return (validate.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'if').map(problemOf);
}

function problemOf({ instancePath, keyword, params, message, parentSchema }: ErrorObject): Problem {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'additionalProperties') {
    const member = (params as { additionalProperty: string }).additionalProperty;
    const known = Object.keys((parentSchema as { properties?: object }).properties ?? {});
    const near = nearest(member, known);
    return { path, member, text: `unknown; ${near === undefined ? `expected one of ${known.join(', ')}` : `did you mean ${near}?`}` };
  }
  if (keyword === 'enum') {
    const allowed = (params as { allowedValues: unknown[] }).allowedValues;
    return { path, text: `expected one of ${allowed.join(', ')}` };
  }
  if (keyword === 'type') return { path, text: `expected ${[(params as { type: string | string[] }).type].flat().join(' or ')}` };
  if (keyword === 'required') return { path, text: `${(params as { missingProperty: string }).missingProperty} is missing` };
  if (keyword === 'minProperties' || keyword === 'maxProperties')
    return { path, text: `expected ${path[0] === 'identity' ? 'exactly one of jwt, trustedProxy, single' : 'at least one'}` };
  if (keyword === 'minLength') return { path, text: `expected at least ${(params as { limit: number }).limit} letters` };
  if (keyword === 'pattern') return { path, text: `expected a value such as ${exampleOf((params as { pattern: string }).pattern)}` };
  return { path, text: message ?? 'is not allowed' };
}

function exampleOf(pattern: string): string {
  if (pattern.includes('MB')) return '4MB';
  if (pattern.includes('ms')) return '30s';
  if (pattern.includes('https')) return 'https://host.example';
  return pattern.includes('/(s') ? '50/s' : 'letters, digits, dots, dashes and underscores';
}
