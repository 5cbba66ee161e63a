// The wire alone: no SDK, no server. One message, written and read.
import { agreeOnRequest, diagnoseMismatch, languageChooser, readRequest, writeRequest } from 'waybill/adapter';
import { compare, say } from './print.mjs';

export const title = 'What a request can carry';

export function show() {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'query_sales', arguments: { period: 'last month' } } };
  const written = writeRequest(call, {
    language: 'gsw-CH',
    environment: { timezone: 'Europe/Zurich', locale: 'de-CH' },
    capabilities: { elicitation: { form: {} } },
  });
  const chooser = languageChooser(['en', 'fr', 'de']);
  compare({
    call: 'Which language does a server with en, fr and de answer a Swiss German speaker in?',
    without: chooser.choose(undefined).language,
    withContext: chooser.choose(readRequest(written).language).language,
    because: { acceptLanguage: readRequest(written).language.text },
  });

  say('');
  const broken = {
    ...call,
    params: { ...call.params, _meta: { 'io.modelcontextprotocol/clientContext': { timezone: 'Mars/Olympus', locale: 'fr-CH' } } },
  };
  const context = readRequest(broken);
  say('  A malformed value never fails a call; it is dropped and reported, and the rest stays:');
  say(`    environment  ${JSON.stringify(context.environment)}`);
  for (const issue of context.issues) say(`    issue        ${issue.key} ${issue.problem}`);

  say('');
  say(`  A proxy rewrote Accept-Language "fr-CH, fr;q=0.9" to "fr": ${agreeOnRequest('fr-CH, fr;q=0.9', 'fr')}`);
  say(`    hint         ${diagnoseMismatch('Accept-Language', 'fr', 'fr-CH, fr;q=0.9').hint}`);
}
