/** Runs the parts of a layer one after the other, in the same turn if none of them is asynchronous. */
import type { Message } from '../transport/index.js';
import { atOnce, reportRejection, promiseIn } from '../wire/maybe.js';
import { ContextError } from '../wire/errors.js';
import { isObject, type Meta } from '../wire/json.js';
import type { Outgoing } from '../wire/write.js';
import type { Layer } from './layer.js';
import type { ServerPart } from './part.js';
import type { IncomingRequest } from './request.js';

export type AnswerKind = 'result' | 'error' | 'notification';

/** Runs every `before`. A fault of one part is reported and the next one runs; only a refusal gets out. */
export function runBefore(request: IncomingRequest, from = 0): Promise<void> | undefined {
  const { steps, fault } = request.layer;
  const passOver = (error: unknown): void => {
    if (error instanceof ContextError) throw error;
    fault(error);
  };
  for (let at = from; at < steps.before.length; at++) {
    let held: Promise<unknown> | undefined;
    try {
      held = promiseIn(steps.before[at]?.before?.(request));
    } catch (error) {
      passOver(error);
    }
    if (held !== undefined) return held.catch(passOver).then(() => runBefore(request, at + 1));
  }
  return undefined;
}

/** Returns the first result that a part gives instead of the handler's. */
export function resultInstead(request: IncomingRequest): Meta | undefined {
  for (const part of request.layer.steps.instead) {
    const result = attempt(request.layer, () => atOnce(part.instead?.(request), 'instead()', part.name));
    if (result !== undefined) return result;
  }
  return undefined;
}

/** Returns the body of an answer after all parts. A part that fails is reported and changes nothing. */
export function changeBody(kind: AnswerKind, body: Meta, request: IncomingRequest, method = '', from = 0): Meta | Promise<Meta> {
  const { steps, fault } = request.layer;
  let current = body;
  for (let at = from; at < steps[kind].length; at++) {
    const part = steps[kind][at] as ServerPart;
    const before = current;
    try {
      const next = kind === 'notification' ? part.notification?.(before, request, method) : part[kind]?.(before, request);
      const later = promiseIn<unknown>(next);
      if (later === undefined) {
        current = checkedBody(next, before, part, kind);
        continue;
      }
      return later
        .then((settled) => checkedBody(settled, before, part, kind))
        .catch((error: unknown) => {
          fault(error);
          return before;
        })
        .then((settled) => changeBody(kind, settled, request, method, at + 1));
    } catch (error) {
      fault(error);
    }
  }
  return current;
}

/** Returns the new body, or the old one if the part returned nothing. Refuses any other value: the SDK would drop such an answer. */
function checkedBody(next: unknown, before: Meta, { name }: ServerPart, kind: AnswerKind): Meta {
  if (next === before || next === undefined || next === null) return before;
  if (isObject(next)) return next;
  throw new TypeError(`part ${JSON.stringify(name)}: ${kind}() returned no object`);
}

/** Collects what the parts write into `_meta`; `undefined` for nothing. */
export function valuesToWrite(kind: AnswerKind, body: Meta, request: IncomingRequest): Outgoing<'result'> | undefined {
  let all: Outgoing<'result'> | undefined;
  for (const part of request.layer.steps.values) {
    const values = attempt(request.layer, () => atOnce(part.values?.(kind, body, request), 'values()', part.name));
    if (values !== undefined) all = { ...all, ...values };
  }
  return all;
}

export function tellDone(answer: Message, request: IncomingRequest): void {
  for (const part of request.layer.steps.done) attempt(request.layer, () => part.done?.(answer, request));
}

export function tellStream(request: IncomingRequest): void {
  for (const part of request.layer.steps.stream) attempt(request.layer, () => part.stream?.(request));
}

/** Tells the parts which list has changed (`tools/list`, `prompts/list`, …), from a notification or an event of SDK v2. */
export function tellChanged(layer: Layer, { method, kind }: { readonly method?: unknown; readonly kind?: unknown }): void {
  const found = /^(?:notifications\/)?(tools|prompts|resources)[/_]list_changed$/.exec(String(method ?? kind));
  if (found === null) return;
  // Templates have no notification of their own: they change with the resources.
  const methods = found[1] === 'resources' ? ['resources/list', 'resources/templates/list'] : [`${found[1] as string}/list`];
  for (const part of layer.parts) for (const changed of methods) attempt(layer, () => part.changed?.(changed));
}

function attempt<T>(layer: Layer, run: () => T): T | undefined {
  try {
    return reportRejection(run(), layer.fault);
  } catch (error) {
    layer.fault(error);
    return undefined;
  }
}
