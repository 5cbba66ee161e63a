import { isObject, own, type Meta } from '../wire/json.js';

/** SDK v2 may answer these from its cache before it looks at `_meta`. */
const CACHED: ReadonlySet<string> = new Set(['listTools', 'listPrompts', 'listResources', 'listResourceTemplates', 'readResource']);
/** The SDK's methods whose first argument is the params of a request. */
const BY_PARAMS: ReadonlySet<string> = new Set([
  ...CACHED,
  'callTool',
  'getPrompt',
  'complete',
  'subscribeResource',
  'unsubscribeResource',
]);

/**
 * Returns a client whose calls carry a `_meta`; everything else is the client itself. Its lists and resources come from the server, never
 * from the cache, because the cache does not know whose call it is.
 */
export function viewOf<C extends object>(client: C, meta: Meta): C {
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      const method = member as (...args: unknown[]) => unknown;
      if (typeof name === 'string' && BY_PARAMS.has(name))
        return (...args: unknown[]) => method.apply(target, argumentsWithMeta(name, args, meta));
      if (name === 'request') return (request: unknown, ...rest: unknown[]) => method.call(target, withParams(request, meta), ...rest);
      return method.bind(target);
    },
  });
}

function argumentsWithMeta(name: string, [params, ...rest]: unknown[], meta: Meta): unknown[] {
  const carried = withMeta(params, meta);
  if (!CACHED.has(name)) return [carried, ...rest];
  const [options, ...others] = rest;
  return [carried, { cacheMode: 'refresh', ...(isObject(options) && options) }, ...others];
}

function withParams(request: unknown, meta: Meta): unknown {
  return isObject(request) ? { ...request, params: withMeta(own(request, 'params'), meta) } : request;
}

function withMeta(params: unknown, meta: Meta): Meta {
  const given = isObject(params) ? params : {};
  const callers = own(given, '_meta');
  return { ...given, _meta: { ...meta, ...(isObject(callers) && callers) } };
}
