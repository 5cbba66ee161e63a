// @ts-check
import { randomBytes } from 'node:crypto';
import { defaultTextMapGetter, defaultTextMapSetter, ROOT_CONTEXT, trace as api } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { formatTraceparent, isParentId, parseTraceparent } from 'waybill/adapter';

/**
 * The two steps that every hop of a traced request takes, each from a carrier to the ids or back. The peer finds its span in an
 * immutable context and checks all ids on every inject; here the trace id was checked when it was read, and the hop's own id is checked.
 */

const propagator = new W3CTraceContextPropagator();
const hops = Array.from({ length: 256 }, (_, i) => {
  const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-0${i & 1}`;
  // As it arrives: a flat string out of a parsed message.
  /** @type {{ traceparent: string }} */
  const carrier = JSON.parse(JSON.stringify({ traceparent }));
  const parent = parseTraceparent(carrier.traceparent);
  if (parent === undefined) throw new Error('not a traceparent');
  const spanId = randomBytes(8).toString('hex');
  const context = api.setSpanContext(ROOT_CONTEXT, { traceId: parent.traceId, spanId, traceFlags: parent.flags });
  return { carrier, parent, spanId, context };
});
/** @param {number} i */
const hopAt = (i) => /** @type {(typeof hops)[number]} */ (hops[i & 255]);

/** @param {number} i */
function read(i) {
  return parseTraceparent(hopAt(i).carrier.traceparent);
}

/** @param {number} i */
function extract(i) {
  return api.getSpanContext(propagator.extract(ROOT_CONTEXT, hopAt(i).carrier, defaultTextMapGetter));
}

/** @param {number} i */
function write(i) {
  const { parent, spanId } = hopAt(i);
  const carrier = /** @type {Record<string, string>} */ ({});
  if (isParentId(spanId)) carrier.traceparent = formatTraceparent({ traceId: parent.traceId, parentId: spanId, flags: parent.flags });
  return carrier;
}

/** @param {number} i */
function inject(i) {
  const carrier = /** @type {Record<string, string>} */ ({});
  propagator.inject(hopAt(i).context, carrier, defaultTextMapSetter);
  return carrier;
}

/** @type {unknown} */
let sink;
/** @param {(i: number) => unknown} step @returns {(n: number) => unknown} */
const repeat = (step) => (n) => {
  for (let i = 0; i < n; i++) sink = step(i);
  return sink;
};

export const title = 'Trace: one hop';

export const rows = [
  {
    name: 'trace parse',
    peer: '@opentelemetry/core extract',
    ratio: 'peer/ours',
    target: 1.5,
    check: () =>
      hops.every((_, i) => {
        const [ours, theirs] = [read(i), extract(i)];
        return ours?.traceId === theirs?.traceId && ours?.parentId === theirs?.spanId && ours?.flags === theirs?.traceFlags;
      }),
    arms: { ours: repeat(read), peer: repeat(extract) },
  },
  {
    name: 'trace inject',
    peer: '@opentelemetry/core inject',
    ratio: 'peer/ours',
    target: 1.5,
    check: () => hops.every((_, i) => write(i).traceparent === inject(i).traceparent),
    arms: { ours: repeat(write), peer: repeat(inject) },
  },
];
