/** Checks values against a JSON Schema before they are sent. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { didYouMean } from '../nearest.js';
import type { Schema } from './coerce.js';

/** Each problem as one line; none if the value fits, or if the schema itself cannot be used. */
export function problemsOf(value: unknown, schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, validateSchema: false, addUsedSchema: false });
  try {
    const { $schema: _, ...rest } = schema as Record<string, unknown>;
    const validate = ajv.compile(rest);
    if (validate(value)) return [];
    return [...new Set((validate.errors ?? []).map((error) => describe(error, schema)))];
  } catch {
    // A schema with a reference to elsewhere, or of another dialect: the server checks.
    return [];
  }
}

/** One line for each name that a schema does not list, though it allows it: it is most likely misspelt. */
export function unlistedNames(value: object, { properties, additionalProperties, patternProperties }: Schema): string[] {
  if (properties === undefined || patternProperties !== undefined || typeof additionalProperties === 'object') return [];
  const known = Object.keys(properties);
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  return unknown.map((name) => [`${name} is not an argument`, didYouMean(name, known)].filter((part) => part !== undefined).join('. '));
}

function describe({ instancePath, keyword, params, message }: ErrorObject, schema: object): string {
  const path = instancePath.slice(1).replaceAll('/', '.');
  const at = path === '' ? '' : `${path}: `;
  const given = params as Record<string, unknown>;
  if (keyword === 'required') return `${at}${String(given['missingProperty'])} is missing`;
  if (keyword === 'additionalProperties') {
    const name = String(given['additionalProperty']);
    const near = didYouMean(name, Object.keys((schema as { properties?: object }).properties ?? {}));
    return `${at}${name} is not an argument${near === undefined ? '' : `. ${near}`}`;
  }
  if (keyword === 'enum') return `${at}expected one of ${(given['allowedValues'] as unknown[]).map(String).join(', ')}`;
  if (keyword === 'type') return `${at}expected ${[given['type']].flat().join(' or ')}`;
  return `${at}${message ?? keyword}`;
}
