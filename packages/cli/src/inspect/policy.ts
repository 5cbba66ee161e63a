/** The policy of the page: one level a field for its target, changed while it runs. */
import { checkPolicyRules } from 'waybill/adapter';
import { policy, type ClientPolicy, type Consent, type ConsentQuestion, type PolicyRules } from 'waybill/client/policy';
import type { Questions } from './questions.js';

const CONSENTS: readonly string[] = ['once', 'always', 'never'] satisfies Consent[];

export class PagePolicy {
  readonly forClient: ClientPolicy;
  #rules: PolicyRules = {};

  constructor(questions: Questions) {
    const ask = async ({ server: name, package: its, field, precision, reason = '' }: ConsentQuestion): Promise<Consent> => {
      const server = its ?? name;
      const about = { field, ...(server !== undefined && { server }), ...(precision !== undefined && { precision }) };
      const { action } = await questions.ask({ message: reason, consent: about });
      return CONSENTS.includes(action) ? (action as Consent) : 'never';
    };
    this.forClient = policy(() => this.#rules, { ask });
  }

  get rules(): PolicyRules {
    return this.#rules;
  }

  /** Throws if the rules cannot be used; then the old ones stay in force. */
  change(rules: unknown): void {
    checkPolicyRules(rules, 'policy');
    this.#rules = rules;
  }
}
