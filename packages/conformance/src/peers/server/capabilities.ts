/** Capabilities of one request in the reference server: the tool check_ask, which needs a form. */
import { isObject, type Message } from '../../wire/json.js';
import { CLIENT_CAPABILITIES, CONTENT_LANGUAGE, FORM, MISSING_CAPABILITY } from '../../wire/keys.js';
import type { Faults } from '../reply.js';
import { answer, Refusal, type Request } from './request.js';
import { DEFAULT, WORDS } from './words.js';

export const BOTH = { ...FORM, extensions: { 'com.example/paint': {} } };

export class AskTool {
  readonly #faults: Faults;
  #earlier: Message = {};

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  #has(fault: string): boolean {
    return this.#faults.has(fault);
  }

  ask(request: Request): Message {
    const { capabilities, meta, modern, params } = request;
    const remembered = this.#has('capabilities-remembered') ? this.#earlier : {};
    this.#earlier = { ...this.#earlier, ...capabilities };
    if (!this.#has('capabilities-unchecked')) this.require({ ...remembered, ...capabilities }, modern);
    if (!modern || params['inputResponses'] !== undefined || this.#has('capabilities-request'))
      return answer({ asked: meta[CLIENT_CAPABILITIES] !== undefined });
    return this.#question(request);
  }

  /** Refuses unless a form can be shown. */
  require(capabilities: Message, modern: boolean): void {
    const { elicitation } = capabilities;
    const url = isObject(elicitation) && 'url' in elicitation && !('form' in elicitation);
    const bare = isObject(elicitation) && Object.keys(elicitation).length === 0;
    let met = isObject(elicitation) && !url && !(bare && this.#has('capabilities-literal'));
    met ||= url && this.#has('capabilities-any-mode');
    met ||= (elicitation === false || elicitation === null) && this.#has('capabilities-false-counts');
    if (met) return;
    this.#refuse(FORM, modern);
  }

  /** The tool check_both. */
  both({ capabilities, modern }: Request): Message {
    const missing = Object.fromEntries(Object.entries(BOTH).filter(([name]) => !isObject(capabilities[name])));
    const named = this.#has('capabilities-names-all') ? BOTH : missing;
    if (Object.keys(missing).length > 0) this.#refuse(named, modern);
    return answer({});
  }

  #refuse(missing: Message, modern: boolean): never {
    const data = { requiredCapabilities: this.#named(missing) };
    const code = this.#has('capabilities-code') ? -32003 : MISSING_CAPABILITY;
    throw new Refusal(code, 'Missing required client capability', modern && !this.#has('capabilities-status') ? 400 : 200, data);
  }

  #named(missing: Message): unknown {
    if (this.#has('capabilities-name-list')) return Object.keys(missing);
    if (this.#has('capabilities-names-true')) return Object.fromEntries(Object.keys(missing).map((name) => [name, true]));
    if (this.#has('capabilities-names-top')) return Object.fromEntries(Object.keys(missing).map((name) => [name, {}]));
    return this.#has('capabilities-names-other') ? { sampling: {} } : missing;
  }

  #question({ language }: Request): Message {
    const words = WORDS[language ?? DEFAULT];
    const choices = (words?.colours ?? []).map((title, index) => ({
      const: this.#has('language-translates-choices') ? title : ['red', 'blue'][index],
      title,
    }));
    const message = this.#has('language-question-untranslated') ? WORDS[DEFAULT]?.colour : words?.colour;
    const requestedSchema = { type: 'object', properties: { colour: { type: 'string', title: words?.colour, oneOf: choices } } };
    const colour = { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } };
    const more = this.#has('capabilities-asks-more') && {
      think: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
    };
    const hints = this.#has('hints-on-question') && { ttlMs: 1000, cacheScope: 'private' };
    const label = language !== undefined && !this.#has('language-question-unlabelled') && { _meta: { [CONTENT_LANGUAGE]: language } };
    return {
      resultType: 'input_required',
      inputRequests: { colour, ...more },
      requestState: this.#has('capabilities-state-object') ? { step: 1 } : 's',
      ...hints,
      ...label,
    };
  }
}
