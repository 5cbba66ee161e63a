/** For the fixtures beside: the options of every layer, and the answer of every tool. It runs in workerd as well. */
import { contextOf } from 'waybill/server';

export const OPTIONS = { languages: ['en', 'de'] };

/** What every fixture's tool answers: the language and the zone that reached its handler. */
export function seen(ctx) {
  const { language, environment } = contextOf(ctx);
  return `${language.chosen} ${environment.timezone}`;
}
