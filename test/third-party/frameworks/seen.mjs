/** For the fixtures: the options of every layer, and the answer of every tool. It runs in workerd too. */
import { contextOf } from 'waybill/server';

export const OPTIONS = { languages: ['en', 'de'] };

/** The answer of every fixture's tool: the language and the zone that reached its handler. */
export function seen(ctx) {
  const { language, environment } = contextOf(ctx);
  return `${language.chosen} ${environment.timezone}`;
}
