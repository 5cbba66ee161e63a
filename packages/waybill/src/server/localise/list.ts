/**
 * Lists, server info and links in the words of the catalogue (LANG-30). Names, URIs, schemas and everything else stay the very objects the
 * SDK made; a text without an entry stays as the author wrote it.
 */
import { isObject, own, setOwn, type Meta } from '../../wire/json.js';
import { SERVER_INFO } from '../../wire/keys.js';
import type { Catalogs } from './catalogs.js';
import { fieldsOf, LISTS, mapped, visit, visitSchemas, type Field, type Visit } from './fields.js';
import { keyMatcher, keyRule } from './keys.js';

export interface ListOptions {
  /**
   * Entries that the model reads, too, by key, `*` for any part: `tools.search.description`, `tools.*.inputSchema.*`, `server.instructions`.
   * A translated description can change which tool a model chooses and how it fills its arguments (LANG-32, PP-04): name a field here only
   * where you have seen that it does not.
   */
  readonly translate?: readonly string[];
}

/** Which languages the texts of an answer are in. */
export type Used = Set<string>;

export interface ListLocaliser {
  /** The result in a language; the same object where nothing changes. */
  localise(result: Meta, method: string, language: string, used: Used): Meta;
  /** Whether an entry is looked up at all. */
  isUsed(key: string): boolean;
}

export function listLocaliser(words: Catalogs, { translate = [] }: ListOptions = {}): ListLocaliser {
  translate.forEach((pattern: unknown, at) => {
    if (typeof pattern !== 'string') throw new TypeError(`localise.translate[${at}]: is not the name of an entry`);
    // With a `*` it may mean any of them.
    if (!pattern.includes('*') && !['should', 'may'].includes(String(keyRule(pattern))))
      throw new RangeError(`localise.translate[${at}]: no entry of a list or of the server is called ${JSON.stringify(pattern)}`);
  });
  const chosen = keyMatcher(translate);
  const isUsed = (key: string): boolean => keyRule(key) === 'should' || (keyRule(key) === 'may' && chosen(key));
  const inSchemas = translate.some((pattern) => /Schema|\*/.test(pattern));
  const active = (fields: readonly Field[]): readonly Field[] =>
    translate.length > 0 ? fields : fields.filter(({ rule }) => rule === 'should');
  const kinds = new Map(Object.entries(LISTS).map(([method, list]) => [method, { ...list, fields: active(fieldsOf(list.type)) }]));
  const ofTool = active(fieldsOf('Tool'));
  const ofServer = active(fieldsOf('Implementation'));

  /** Looks texts up and notes the language of each that is shown, ours or the author's. */
  const sayer =
    (language: string, used: Used): Visit =>
    (text, key, rule) => {
      if (rule === 'may' && !chosen(key)) return text;
      const found = words.find(language, key);
      if (found?.language !== undefined) used.add(found.language);
      else if (text !== undefined) used.add(words.default);
      return found?.text ?? text;
    };

  /** A title that the author also wrote as annotation is one text; it needs one entry. */
  const tool = (item: Meta, prefix: string, language: string, say: Visit): Meta => {
    const { annotations, title } = item;
    const twice = isObject(annotations) && typeof title === 'string' && annotations['title'] === title;
    const both: Visit = (text, key, rule) =>
      say(text, key.endsWith('.annotations.title') && words.find(language, key) === undefined ? `${prefix}.title` : key, rule);
    const next = visit(item, prefix, ofTool, twice ? both : say);
    return inSchemas ? visitSchemas(next, prefix, say) : next;
  };

  const named = (item: Meta, method: string, language: string, say: Visit): Meta => {
    const kind = kinds.get(method);
    const name = own(item, 'name');
    if (kind === undefined || typeof name !== 'string') return item;
    const prefix = `${kind.root}.${name}`;
    return kind.type === 'Tool' ? tool(item, prefix, language, say) : visit(item, prefix, kind.fields, say);
  };

  return {
    isUsed,
    localise(result, method, language, used) {
      const say = sayer(language, used);
      // Who answers and what is linked to are named in passing: they say nothing of the language of the answer.
      const aside = sayer(language, new Set());
      const list = own(result, kinds.get(method)?.member ?? '');
      if (Array.isArray(list)) {
        const next = withMember(
          result,
          kinds.get(method)?.member ?? '',
          mapped(list, (item) => named(item, method, language, say)),
        );
        return withServerInfo(next, aside, ofServer);
      }
      if (method === 'server/discover' || method === 'initialize') return withServerInfo(introduced(result, say, ofServer), say, ofServer);
      return withServerInfo(linked(result, aside), aside, ofServer);
    },
  };
}

function withMember(result: Meta, member: string, value: unknown): Meta {
  return own(result, member) === value ? result : { ...result, [member]: value };
}

/** LANG-30, IX-02: how the server introduces itself; the instructions are the model's and need the author's word. */
function introduced(result: Meta, say: Visit, fields: readonly Field[]): Meta {
  const info = own(result, 'serverInfo');
  let next = isObject(info) ? withMember(result, 'serverInfo', visit(info, 'server', fields, say)) : result;
  const instructions = own(result, 'instructions');
  if (typeof instructions === 'string') next = withMember(next, 'instructions', say(instructions, 'server.instructions', 'may'));
  return next;
}

/** On revision 2026-07-28 every result may say who made it. */
function withServerInfo(result: Meta, say: Visit, fields: readonly Field[]): Meta {
  const meta = own(result, '_meta');
  const info = isObject(meta) ? own(meta, SERVER_INFO) : undefined;
  if (!isObject(info)) return result;
  const next = visit(info, 'server', fields, say);
  if (next === info) return result;
  const changed = { ...(meta as Meta) };
  setOwn(changed, SERVER_INFO, next);
  return { ...result, _meta: changed };
}

const LINK: readonly Field[] = [{ path: ['title'], rule: 'should' }];

/** A link to a resource is shown by its title wherever it stands. */
function linked(result: Meta, say: Visit): Meta {
  const link = (part: Meta): Meta =>
    part['type'] === 'resource_link' && typeof part['name'] === 'string' ? visit(part, `resources.${part['name']}`, LINK, say) : part;
  const content = own(result, 'content');
  if (Array.isArray(content)) return withMember(result, 'content', mapped(content, link));
  const messages = own(result, 'messages');
  if (!Array.isArray(messages)) return result;
  const one = (message: Meta): Meta => (isObject(message['content']) ? withMember(message, 'content', link(message['content'])) : message);
  return withMember(result, 'messages', mapped(messages, one));
}
