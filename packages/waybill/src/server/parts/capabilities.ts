/** Capabilities on the server (SEP-2575, transports-wg #31): tools annotated and checked from one declaration. */
import {
  chooseTools,
  hasCapabilities,
  missingCapabilities,
  reaches,
  requireCapabilities,
  writeRequirement,
  type Requirement,
} from '../../wire/capabilities.js';
import { CAPABILITY_BOUNDS } from '../../wire/capabilities/bounds.js';
import { ContextError } from '../../wire/errors.js';
import { isObject, outOfBounds, own, type JsonObject, type Meta } from '../../wire/json.js';
import { CLIENT_CAPABILITIES } from '../../wire/keys.js';
import type { RequestCapabilities } from '../context.js';
import type { IncomingRequest } from '../request.js';
import { unknownTools, readNeeds } from './toolNeeds.js';
import type { ServerContextOptions } from '../options.js';
import type { ServerPart, ServerRequest } from '../part.js';

export function capabilities(tools: ServerContextOptions['tools'] = {}, filter?: 'declared'): ServerPart {
  const needs = readNeeds(tools);
  const mistakesIn = unknownTools(tools);
  const provides = { capabilities: (request: ServerRequest) => new LazyCapabilities(request) };
  if (needs.size === 0 && filter === undefined) return { name: 'capabilities', provides };
  const isFiltered = ({ method }: ServerRequest): boolean => filter !== undefined && method === 'tools/list';
  return {
    name: 'capabilities',
    provides,

    /** CAP-15, BASE-03: checks every call, even if the client ignored the list. */
    before(request) {
      if (request.method !== 'tools/call') return;
      const required = needs.get(nameIn(request))?.required;
      if (required === undefined) return;
      requireDeclaration(request, required);
      requireCapabilities(required, request.usable, request.declared);
    },

    result(result, request) {
      if (request.method !== 'tools/list' || !Array.isArray(result['tools'])) return result;
      // With several servers behind one context no single list has all tools.
      if ((request as IncomingRequest).layer.targets.only !== undefined)
        for (const issue of mistakesIn(result, request.message['params'])) request.report(issue);
      const annotated = annotate(result['tools'], needs, request);
      if (filter === undefined) return annotated === result['tools'] ? result : { ...result, tools: annotated };
      // D-14, BASE-12: a list that depends on the caller is private, on every page alike.
      request.answer.caching.restrict('private');
      const offered = chooseTools(annotated, request.usable, (issue) => request.report(issue), { substitution: true });
      return { ...result, tools: offered, ...(Object.hasOwn(result, 'cacheScope') && { cacheScope: 'private' }) };
    },

    stream(request) {
      if (isFiltered(request)) request.answer.caching.restrict('private');
    },
  };
}

/** CAP-05: on the new revision a missing declaration is another fault than an incomplete one. */
function requireDeclaration(request: ServerRequest, required: JsonObject): void {
  if (request.era === 'modern' && request.declared === undefined && missingCapabilities(required, undefined) !== undefined)
    throw new ContextError('invalid-context', { path: CLIENT_CAPABILITIES, problem: 'is missing' });
}

function nameIn({ message }: ServerRequest): string {
  const params = message['params'];
  const name = isObject(params) ? own(params, 'name') : undefined;
  return typeof name === 'string' ? name : '';
}

/** CAP-10: annotates tools in their order (BASE-13). A tool without a declaration stays the same object. */
function annotate(tools: readonly unknown[], needs: ReadonlyMap<string, Requirement>, request: ServerRequest): readonly unknown[] {
  const next = tools.map((tool) => {
    const need = isObject(tool) && typeof tool['name'] === 'string' ? needs.get(tool['name']) : undefined;
    return need === undefined ? tool : writeRequirement(tool as Meta, need, (issue) => request.report(issue));
  });
  return next.some((tool, at) => tool !== tools[at]) ? next : tools;
}

class LazyCapabilities implements RequestCapabilities {
  readonly #request: ServerRequest;

  constructor(request: ServerRequest) {
    this.#request = request;
    request.answer.caching.noteCaller();
  }

  get declared(): JsonObject | undefined {
    return this.#request.declared;
  }

  get usable(): JsonObject | undefined {
    return this.#request.usable;
  }

  can(required: string | JsonObject): boolean {
    const { usable } = this.#request;
    if (!isRequirement(required)) throw notRequired('can');
    return typeof required === 'string' ? reaches(pathOf(required, 'can'), usable) : hasCapabilities(required, usable);
  }

  requireCapability(required: string | JsonObject): void {
    if (!isRequirement(required)) throw notRequired('requireCapability');
    const shape = typeof required === 'string' ? shapeOf(pathOf(required, 'requireCapability')) : required;
    try {
      requireCapabilities(shape, this.#request.usable, this.#request.declared);
    } catch (error) {
      throw error instanceof ContextError ? this.#request.answer.refusal.byHandler(error) : error;
    }
  }
}

/** Refuses any other value: a misspelt name gives `undefined`, which every client would seem to meet. */
function isRequirement(required: unknown): boolean {
  return typeof required === 'string' || (isObject(required) && outOfBounds(required, CAPABILITY_BOUNDS) === undefined);
}

function notRequired(call: string): TypeError {
  return new TypeError(`${call}: expected a path such as 'sampling.tools', or a requirement in the shape of ClientCapabilities`);
}

/** Splits `sampling.tools` into steps. After `extensions.` stands one id, with its dots. */
function pathOf(required: string, call: string): readonly string[] {
  const path = required.startsWith('extensions.') ? ['extensions', required.slice('extensions.'.length)] : required.split('.');
  if (path.includes('')) throw notRequired(call);
  return path;
}

/** Returns the path in the shape of `ClientCapabilities`. */
function shapeOf(path: readonly string[]): JsonObject {
  return path.reduceRight<JsonObject>((inner, step) => ({ [step]: inner }), {});
}
