// @ts-check
// The context that both arms of the client races carry: written by the layer, or by the caller of the bare SDK.
export const CONTEXT = {
  values: { language: 'fr-CH,fr;q=0.9,en;q=0.8', environment: { timezone: 'Europe/Zurich', locale: 'fr-CH' } },
  capabilities: { elicitation: { form: {} }, extensions: { 'dev.waybill/context': {} } },
};

/** A caller who takes the moment and makes a span for every call, as cheaply as it can. */
let span = 0;
export const byHand = () => ({
  'io.modelcontextprotocol/acceptLanguage': CONTEXT.values.language,
  'io.modelcontextprotocol/clientContext': { ...CONTEXT.values.environment, currentTimestamp: new Date().toISOString() },
  traceparent: `00-0af7651916cd43dd8448eb211c80319c-${(++span).toString(16).padStart(16, '0')}-03`,
});
