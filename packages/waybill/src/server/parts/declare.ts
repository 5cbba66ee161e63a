/** The declaration of this server: the extension, which `attach` declares, and which connections support every part of it. */
import { holding, isObject, own, type JsonObject, type Meta } from '../../wire/json.js';
import { EXTENSION_ID } from '../../wire/keys.js';
import type { ServerPart } from '../part.js';
import type { IncomingRequest } from '../request.js';

const METHODS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/**
 * D-03: `lifts` is not declared where the SDK rejects unknown members before this layer sees the message; a client that trusts it would get
 * no answer.
 */
export const declaration: ServerPart = {
  name: 'declare',
  result(result, request) {
    if (!METHODS.has(request.method)) return result;
    const { delivery, edge } = request as IncomingRequest;
    const { connection } = delivery;
    if (connection?.declares !== undefined) return declaring(result, connection.declares);
    return connection?.lifts(edge) === false ? withoutLifts(result) : result;
  },
};

const PATH = ['capabilities', 'extensions', EXTENSION_ID] as const;

/** Adds the extension to `server/discover` and `initialize` of a server without an SDK, on which nothing could be registered. */
function declaring(result: Meta, settings: JsonObject): Meta {
  const declared = objectIn(result, 'capabilities');
  return holding(
    result,
    'capabilities',
    holding(declared, 'extensions', holding(objectIn(declared, 'extensions'), EXTENSION_ID, settings)),
  );
}

function objectIn(holder: Meta, name: string): Meta {
  const value = own(holder, name);
  return isObject(value) ? value : {};
}

function withoutLifts(holder: Meta, at = 0): Meta {
  const name = PATH[at];
  if (name === undefined) {
    const { lifts: _, ...others } = holder;
    return others;
  }
  const inner = own(holder, name);
  return isObject(inner) ? holding(holder, name, withoutLifts(inner, at + 1)) : holder;
}
