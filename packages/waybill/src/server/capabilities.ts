/** Capabilities on the server (SEP-2575, transports-wg #31): tools annotated and checked from one declaration. */
import {
  chooseTools,
  hasCapabilities,
  missingCapabilities,
  reaches,
  requireCapabilities,
  writeRequirement,
  type Requirement,
} from '../wire/capabilities.js';
import { CAPABILITY_BOUNDS } from '../wire/capabilities/bounds.js';
import { ContextError } from '../wire/errors.js';
import { isObject, outOfBounds, own, type JsonObject, type Meta } from '../wire/json.js';
import { CLIENT_CAPABILITIES } from '../wire/keys.js';
import type { ServerCall } from './call.js';
import type { Capabilities } from './context.js';
import { throwing } from './error.js';
import { readNeeds } from './needs.js';
import type { ServerContextOptions } from './options.js';
import type { Call, Part } from './part.js';

export function capabilities(tools: ServerContextOptions['tools'] = {}, filter?: 'declared'): Part {
  const needs = readNeeds(tools);
  const faces = { capabilities: (call: Call) => new Face(call as ServerCall) };
  if (needs.size === 0 && filter === undefined) return { name: 'capabilities', faces };
  const isFiltered = ({ method }: Call): boolean => filter !== undefined && method === 'tools/list';
  return {
    name: 'capabilities',
    faces,

    /** CAP-15, BASE-03: every call, whatever a client made of the list. */
    before(call) {
      if (call.method !== 'tools/call') return;
      const required = needs.get(nameIn(call))?.required;
      if (required === undefined) return;
      requireDeclaration(call, required);
      requireCapabilities(required, call.declared);
    },

    result(result, call) {
      if (call.method !== 'tools/list' || !Array.isArray(result['tools'])) return result;
      const annotated = annotate(result['tools'], needs, call);
      if (filter === undefined) return annotated === result['tools'] ? result : { ...result, tools: annotated };
      // D-14, BASE-12: what depends on the caller is the caller's own, on every page of the list alike.
      call.keep('private');
      const offered = chooseTools(annotated, call.declared, (issue) => call.report(issue), { substitution: true });
      return { ...result, tools: offered, ...(Object.hasOwn(result, 'cacheScope') && { cacheScope: 'private' }) };
    },

    stream(call) {
      if (isFiltered(call)) call.keep('private');
    },
  };
}

/** CAP-05: on the new revision no declaration at all is another fault than one that lacks something. */
function requireDeclaration(call: Call, required: JsonObject): void {
  if (call.era === 'modern' && call.declared === undefined && missingCapabilities(required, undefined) !== undefined)
    throw new ContextError('invalid-context', { path: CLIENT_CAPABILITIES, problem: 'is missing' });
}

function nameIn({ message }: Call): string {
  const params = message['params'];
  const name = isObject(params) ? own(params, 'name') : undefined;
  return typeof name === 'string' ? name : '';
}

/** CAP-10, in the order given (BASE-13). A tool that nobody declared anything for stays the object it is. */
function annotate(tools: readonly unknown[], needs: ReadonlyMap<string, Requirement>, call: Call): readonly unknown[] {
  const next = tools.map((tool) => {
    const need = isObject(tool) && typeof tool['name'] === 'string' ? needs.get(tool['name']) : undefined;
    return need === undefined ? tool : writeRequirement(tool as Meta, need, (issue) => call.report(issue));
  });
  return next.some((tool, at) => tool !== tools[at]) ? next : tools;
}

class Face implements Capabilities {
  readonly #call: ServerCall;

  constructor(call: ServerCall) {
    this.#call = call;
    call.personal = true;
  }

  get declared(): JsonObject | undefined {
    return this.#call.declared;
  }

  can(required: string | JsonObject): boolean {
    const { declared } = this.#call;
    if (!isRequirement(required)) throw notRequired('can');
    return typeof required === 'string' ? reaches(pathOf(required, 'can'), declared) : hasCapabilities(required, declared);
  }

  requireCapability(required: string | JsonObject): void {
    if (!isRequirement(required)) throw notRequired('requireCapability');
    const shape = typeof required === 'string' ? shapeOf(pathOf(required, 'requireCapability')) : required;
    try {
      requireCapabilities(shape, this.#call.declared);
    } catch (error) {
      throw error instanceof ContextError ? throwing(this.#call, error) : error;
    }
  }
}

/** What is neither would be met by everybody: a name that was misspelt is `undefined`, and that is no JSON. */
function isRequirement(required: unknown): boolean {
  return typeof required === 'string' || (isObject(required) && outOfBounds(required, CAPABILITY_BOUNDS) === undefined);
}

function notRequired(call: string): TypeError {
  return new TypeError(`${call}: expected a path, as 'sampling.tools', or a requirement in the shape of ClientCapabilities`);
}

/** Names are written in the program, so there are few of them; should somebody make them up, it starts anew. */
const paths = new Map<string, readonly string[]>();
const MOST_PATHS = 256;

/** `sampling.tools` step by step; behind `extensions.` stands one id, dots and all. */
function pathOf(required: string, call: string): readonly string[] {
  const known = paths.get(required);
  if (known !== undefined) return known;
  const path = required.startsWith('extensions.') ? ['extensions', required.slice('extensions.'.length)] : required.split('.');
  if (path.includes('')) throw notRequired(call);
  if (paths.size >= MOST_PATHS) paths.clear();
  paths.set(required, path);
  return path;
}

/** In the shape of `ClientCapabilities`. */
function shapeOf(path: readonly string[]): JsonObject {
  return path.reduceRight<JsonObject>((inner, step) => ({ [step]: inner }), {});
}
