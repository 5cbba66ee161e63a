// @ts-check
// The context that both arms of the client races carry: written by the layer, or by the caller of the bare SDK.
const LANGUAGE = 'fr-CH,fr;q=0.9,en;q=0.8';
const ENVIRONMENT = { timezone: 'Europe/Zurich', locale: 'fr-CH' };

export const CAPABILITIES = { elicitation: { form: {} }, extensions: { 'dev.waybill/context': {} } };
export const HEADERS = { 'Accept-Language': LANGUAGE };

/** The options of the layer: the language alone, or everything a client sends by itself. */
export const VALUES = {
  language: { language: LANGUAGE, environment: null, trace: null },
  everything: { language: LANGUAGE, environment: ENVIRONMENT },
};

/** The same by a caller who takes the moment and makes a span for every call, as cheaply as it can. */
let span = 0;
export const byHand = {
  language: () => ({ 'io.modelcontextprotocol/acceptLanguage': LANGUAGE }),
  everything: () => ({
    'io.modelcontextprotocol/acceptLanguage': LANGUAGE,
    'io.modelcontextprotocol/clientContext': { ...ENVIRONMENT, currentTimestamp: new Date().toISOString() },
    traceparent: `00-0af7651916cd43dd8448eb211c80319c-${(++span).toString(16).padStart(16, '0')}-03`,
  }),
};
