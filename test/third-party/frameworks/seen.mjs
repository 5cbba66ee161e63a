/** For the fixtures: the options of every layer, and the answer of every tool. It runs in workerd too. */
import { contextOf } from 'waybill/server';

export const OPTIONS = { languages: ['en', 'de'] };

/** The answer of every fixture's tool: the values of the five concerns that reached its handler. It counts its calls at the client. */
export function seen(ctx) {
  const { language, environment, trace, capabilities, state } = contextOf(ctx);
  const calls = (state.server.get('calls') ?? 0) + 1;
  state.server.set('calls', calls);
  const declared = capabilities.declared?.elicitation === undefined ? 'silent' : 'asks';
  return [language.chosen, environment.timezone, trace.parent === undefined ? 'untraced' : 'traced', declared, calls].join(' ');
}
