/** For the fixtures beside: the options of every layer, and the answer of every tool. It runs in workerd as well. */
import { contextOf } from 'waybill/server';

export const OPTIONS = { languages: ['en', 'de'] };

/** What every fixture's tool answers: what reached its handler of the five concerns. It counts its calls at the client. */
export function seen(ctx) {
  const { language, environment, trace, capabilities, state } = contextOf(ctx);
  const calls = (state.server.get('calls') ?? 0) + 1;
  state.server.set('calls', calls);
  const declared = capabilities.declared?.elicitation === undefined ? 'silent' : 'asks';
  return [language.chosen, environment.timezone, trace.parent === undefined ? 'untraced' : 'traced', declared, calls].join(' ');
}
