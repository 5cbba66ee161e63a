/** The policy of the page: one level a field for its target, changed while it runs. */
import { policy, type ClientPolicy, type Consent, type ConsentQuestion } from 'waybill/client/policy';
import type { Level, PolicyAnswer } from './protocol.js';
import type { Questions } from './questions.js';

const FIELDS = ['language', 'timezone', 'now', 'locale', 'location', 'state', 'trace', 'baggage', 'capabilities'];
const LEVELS: readonly unknown[] = ['always', 'ask', 'never'] satisfies Level[];
const CONSENTS: readonly string[] = ['once', 'always', 'never'] satisfies Consent[];

export class PagePolicy {
  readonly handed: ClientPolicy;
  #rules: Readonly<Record<string, Level>> = {};

  constructor(questions: Questions) {
    const ask = async ({ server: name, package: its, field, precision, reason = '' }: ConsentQuestion): Promise<Consent> => {
      const server = its ?? name;
      const about = { field, ...(server !== undefined && { server }), ...(precision !== undefined && { precision }) };
      const { action } = await questions.ask({ message: reason, consent: about });
      return CONSENTS.includes(action) ? (action as Consent) : 'never';
    };
    this.handed = policy(() => this.#rules, { ask });
  }

  show(): PolicyAnswer {
    return { fields: FIELDS, rules: this.#rules };
  }

  /** Returns why the rules are refused; then the old ones stay in force. */
  change(given: Readonly<Record<string, unknown>>): string | undefined {
    for (const [field, level] of Object.entries(given)) {
      if (!FIELDS.includes(field)) return `${field} is not a field. There are ${FIELDS.join(', ')}.`;
      if (!LEVELS.includes(level)) return `${field}: expected always, ask or never.`;
    }
    this.#rules = given as Record<string, Level>;
    return undefined;
  }
}
