/**
 * An observer of the wire that shares no code with the policy: which fields a message and its headers tell, by the spellings as the
 * proposals and other vendors write them.
 */
type Meta = Record<string, any>;

const has = (text: unknown): boolean => typeof text === 'object' && text !== null && Object.keys(text).length > 0;
const inMeta: readonly (readonly [field: string, key: RegExp])[] = [
  ['language', /^io\.modelcontextprotocol\/(?:acceptLanguage|contentLanguage)$/],
  ['locale', /^openai\/locale$/],
  ['state', /^(?:(?:http:\/\/)?modelcontextprotocol\.io\/state\/|io\.modelcontextprotocol\/state\.|dev\.waybill\/state\.)/],
  ['trace', /^(?:traceparent|tracestate|b3|uber-trace-id|x-b3-.*|sentry-trace|x-datadog-.*)$/],
  ['baggage', /^(?:baggage|uberctx-.*)$/],
];

function environmentIn(context: unknown, found: Set<string>): void {
  if (typeof context !== 'object' || context === null) return;
  const { timezone, currentTimestamp, locale, userLocation } = context as Meta;
  if (timezone !== undefined) found.add('timezone');
  if (currentTimestamp !== undefined) found.add('now');
  if (locale !== undefined) found.add('locale');
  if (userLocation !== undefined) found.add('location');
}

/** The fields of one message, and of the headers it went with. */
export function disclosed(message: Meta | undefined, headers: Readonly<Record<string, string>> = {}): Set<string> {
  const found = new Set<string>();
  const params: Meta = message?.['params'] ?? {};
  const meta: Meta = params['_meta'] ?? message?.['result']?._meta ?? message?.['error']?.data?._meta ?? {};
  for (const key of Object.keys(meta)) for (const [field, spelled] of inMeta) if (spelled.test(key)) found.add(field);
  environmentIn(message?.['clientContext'], found);
  environmentIn(params['clientContext'], found);
  environmentIn(meta['io.modelcontextprotocol/clientContext'], found);
  const flat: Meta = meta['openai/userLocation'] ?? {};
  if (flat['timezone'] !== undefined) found.add('timezone');
  if (Object.keys(flat).some((name) => name !== 'timezone')) found.add('location');
  const declared = [meta['io.modelcontextprotocol/clientCapabilities'], meta['dev.waybill/clientCapabilities']];
  if (has(message?.['method'] === 'initialize' ? params['capabilities'] : undefined) || declared.some(has)) found.add('capabilities');
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    if (/^(?:accept|content)-language$/.test(key) && value !== '*') found.add('language');
    for (const [field, spelled] of inMeta) if (!key.includes('/') && spelled.test(key)) found.add(field);
  }
  return found;
}
