// @ts-check
/** Shared by the arms of bench/server.mjs: one server of ten tools, with or without the layer, and a request with its whole context. */
import { contextOf, serverContext } from 'waybill/server';

/** Everything a client may say, the same in both arms. */
export const META = {
  'io.modelcontextprotocol/acceptLanguage': 'fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5',
  'io.modelcontextprotocol/clientContext': {
    timezone: 'Europe/Zurich',
    currentTimestamp: '2026-10-25T02:30:00+01:00',
    locale: 'fr-CH',
    userLocation: { city: 'Genève', country: 'CH' },
  },
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE',
  baggage: 'tenant=acme,plan=pro',
};

export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} }, sampling: {} },
};

export const LANGUAGES = ['en', 'de', 'fr', 'zh-Hant', 'ar'];

/** The work of a handler with its context. @type {Record<string, (ctx: any) => string>} */
const touches = {
  bare: () => 'fr',
  language: (ctx) => contextOf(ctx).language.chosen,
  everything: (ctx) => {
    const { language, environment, trace, capabilities, meta, issues } = contextOf(ctx);
    const { now, timezone, locale, location, given, skew, disagrees, clock } = environment;
    const isRead =
      now.text === given.now?.text &&
      timezone === 'Europe/Zurich' &&
      locale === 'fr-CH' &&
      location?.country === 'CH' &&
      skew !== undefined &&
      !disagrees &&
      clock === 'client' &&
      trace.carrier() === trace.parent &&
      meta.traceparent === trace.parent?.traceparent &&
      issues.length === 0 &&
      capabilities.declared !== undefined &&
      capabilities.can('elicitation.form');
    return isRead ? language.chosen : 'not all of it was read';
  },
};

/** @param {string} mode bare, language or everything */
export function layerOf(mode) {
  return mode === 'bare' ? undefined : serverContext({ languages: LANGUAGES });
}

/**
 * The bare handler writes by hand what the layer writes: both arms put the same messages on the wire, in both directions.
 * @param {any} McpServer @param {any} inputSchema @param {string} mode
 */
export function build(McpServer, inputSchema, mode) {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  const touch = /** @type {(ctx: any) => string} */ (touches[mode]);
  for (let at = 0; at < 10; at++)
    server.registerTool(
      `tool_${at}`,
      { description: `Tool number ${at}`, inputSchema },
      async (/** @type {any} */ _args, /** @type {any} */ ctx) => ({
        content: [{ type: 'text', text: touch(ctx) }],
        ...(mode === 'bare' && { _meta: { 'io.modelcontextprotocol/contentLanguage': 'fr' } }),
      }),
    );
  return server;
}
