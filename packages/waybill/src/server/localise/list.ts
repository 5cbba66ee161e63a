/**
 * Puts the texts of the catalogue into lists, server info and links (LANG-30). Names, URIs, schemas and everything else stay the objects the
 * SDK made. A text without an entry stays as the author wrote it.
 */
import { quote } from '../../wire/check.js';
import { holding, isObject, own, type Meta } from '../../wire/json.js';
import { SERVER_INFO } from '../../wire/keys.js';
import type { Catalogs } from './catalogs.js';
import { fieldsOf, LISTS, mapObjects, visit, visitSchemas, type Field, type Visit } from './fields.js';
import { keyMatcher, keyRule } from './keys.js';

export interface ListOptions {
  /**
   * Keys of texts that the model reads, which are translated only if you name them here. `*` stands for any part:
   * `tools.search.description`, `tools.*.inputSchema.*`, `server.instructions`. A translated description can change which tool a model
   * chooses and how it fills its arguments, so name a field only if you have seen that it does not.
   */
  readonly translate?: readonly string[];
}

/** The languages of the texts in one answer. */
export type Used = Set<string>;

export interface ListLocaliser {
  /** Returns the result in this language, or the same object if nothing changes. Adds the languages of its texts to `used`. */
  localise(result: Meta, method: string, language: string, used: Used): Meta;
}

export function listLocaliser(catalogs: Catalogs, { translate = [] }: ListOptions = {}): ListLocaliser {
  translate.forEach((pattern: unknown, at) => {
    if (typeof pattern !== 'string') throw new TypeError(`localise.translate[${at}]: expected the name of an entry`);
    // A pattern with `*` may match any entry, so it cannot be checked.
    if (!pattern.includes('*') && !['should', 'may'].includes(String(keyRule(pattern))))
      throw new RangeError(`localise.translate[${at}]: expected an entry of a list or of the server, got ${quote(pattern)}`);
  });
  const chosen = keyMatcher(translate);
  const inSchemas = translate.some((pattern) => /Schema|\*/.test(pattern));
  const active = (fields: readonly Field[]): readonly Field[] =>
    translate.length > 0 ? fields : fields.filter(({ rule }) => rule === 'should');
  const kinds = new Map(Object.entries(LISTS).map(([method, list]) => [method, { ...list, fields: active(fieldsOf(list.type)) }]));
  const ofTool = active(fieldsOf('Tool'));
  const ofServer = active(fieldsOf('Implementation'));

  /** Looks texts up and notes the language of each text, whether it comes from a catalogue or from the author. */
  const lookupIn =
    (language: string, used: Used): Visit =>
    (text, key, rule) => {
      if (rule === 'may' && !chosen(key)) return text;
      const found = catalogs.find(language, key);
      if (found?.language !== undefined) used.add(found.language);
      else if (text !== undefined) used.add(catalogs.default);
      return found?.text ?? text;
    };

  /** If the author wrote the same title twice, as `title` and as annotation, one entry serves both. */
  const tool = (item: Meta, prefix: string, language: string, say: Visit): Meta => {
    const { annotations, title } = item;
    const twice = isObject(annotations) && typeof title === 'string' && annotations['title'] === title;
    const both: Visit = (text, key, rule) =>
      say(text, key.endsWith('.annotations.title') && catalogs.find(language, key) === undefined ? `${prefix}.title` : key, rule);
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
    localise(result, method, language, used) {
      const say = lookupIn(language, used);
      // The names of the server and of linked resources say nothing about the language of the answer.
      const aside = lookupIn(language, new Set());
      const { member = '' } = kinds.get(method) ?? {};
      const list = own(result, member);
      if (Array.isArray(list)) {
        const items = mapObjects(list, (item) => named(item, method, language, say));
        return withServerInfo(withMember(result, member, items), aside, ofServer);
      }
      if (method === 'server/discover' || method === 'initialize') return withServerInfo(introduced(result, say, ofServer), say, ofServer);
      return withServerInfo(linked(result, aside), aside, ofServer);
    },
  };
}

function withMember(result: Meta, member: string, value: unknown): Meta {
  return own(result, member) === value ? result : { ...result, [member]: value };
}

/** LANG-30, IX-02: localises how the server introduces itself. The model reads the instructions, so they change only if the author opts in. */
function introduced(result: Meta, say: Visit, fields: readonly Field[]): Meta {
  const info = own(result, 'serverInfo');
  let next = isObject(info) ? withMember(result, 'serverInfo', visit(info, 'server', fields, say)) : result;
  const instructions = own(result, 'instructions');
  if (typeof instructions === 'string') next = withMember(next, 'instructions', say(instructions, 'server.instructions', 'may'));
  return next;
}

/** On 2026-07-28 every result may carry the server info. */
function withServerInfo(result: Meta, say: Visit, fields: readonly Field[]): Meta {
  const meta = own(result, '_meta');
  const info = isObject(meta) ? own(meta, SERVER_INFO) : undefined;
  if (!isObject(info)) return result;
  const next = visit(info, 'server', fields, say);
  return next === info ? result : { ...result, _meta: holding(meta as Meta, SERVER_INFO, next) };
}

const LINK: readonly Field[] = [{ path: ['title'], rule: 'should' }];

/** Localises the titles of links to resources in a result. */
function linked(result: Meta, say: Visit): Meta {
  const link = (part: Meta): Meta =>
    part['type'] === 'resource_link' && typeof part['name'] === 'string' ? visit(part, `resources.${part['name']}`, LINK, say) : part;
  const content = own(result, 'content');
  if (Array.isArray(content)) return withMember(result, 'content', mapObjects(content, link));
  const messages = own(result, 'messages');
  if (!Array.isArray(messages)) return result;
  const one = (message: Meta): Meta => (isObject(message['content']) ? withMember(message, 'content', link(message['content'])) : message);
  return withMember(result, 'messages', mapObjects(messages, one));
}
