import { isObject, own, type Meta } from '../wire/json.js';
import { dropOldest } from './oldest.js';

/** The member of a result that holds its items, and the member that identifies an item. */
const ITEMS = { tools: 'name', prompts: 'name', resources: 'uri', resourceTemplates: 'uriTemplate', contents: 'uri' } as const;
const MAX_VARIANTS = 16;
const MAX_KEYS = 256;
const MAX_ITEMS = 10_000;

interface Key {
  readonly method: string;
  /** The URI of a resource. */
  readonly params?: string;
}

interface DeliveredList {
  /** The last list that each variant got, with the pages that came so far; the oldest first. */
  readonly byVariant: Map<string, Meta>;
  /** True once a variant was forgotten: the others no longer show which variant a later page belongs to. */
  isPartial: boolean;
}

/**
 * Finds the variant of a result in the SDK's cache (LANG-60). The SDK keeps a parsed copy that names no request, so the copy is compared
 * with the lists that were delivered. A mark on the result would be simpler, but the application and a model would see it.
 */
export class DeliveredResults {
  readonly #lists = new Map<string, DeliveredList>();

  /** Remembers a page that was delivered. The first page of a list replaces what its variant got before; later pages are appended. */
  remember({ method, params = '' }: Key, variant: string, page: Meta, isFirst = true): void {
    const key = JSON.stringify([method, params]);
    let list = this.#lists.get(key);
    if (list === undefined) {
      this.#lists.set(key, (list = { byVariant: new Map(), isPartial: false }));
      dropOldest(this.#lists, MAX_KEYS);
    }
    const before = list.byVariant.get(variant);
    const result = isFirst ? page : before && followed(before, page);
    if (result === undefined) return;
    list.byVariant.delete(variant);
    list.byVariant.set(variant, result);
    if (dropOldest(list.byVariant, MAX_VARIANTS)) list.isPartial = true;
  }

  /** Returns the variant of this result; `undefined` if none fits, or several different ones do. */
  variantOf({ method, params = '' }: Key, stored: unknown): string | undefined {
    const list = this.#lists.get(JSON.stringify([method, params]));
    if (list === undefined || !isObject(stored)) return undefined;
    const fitting = [...list.byVariant].filter(([, page]) => fits(stored, page));
    const [last] = fitting.slice(-1);
    if (last === undefined) return undefined;
    const [variant, page] = last;
    const isWhole = own(page, 'nextCursor') === undefined;
    if (fitting.length === 1) return isWhole || !list.isPartial ? variant : undefined;
    const content = JSON.stringify(itemsOf(page));
    const areEqual = fitting.every(([, other]) => own(other, 'nextCursor') === undefined && JSON.stringify(itemsOf(other)) === content);
    return areEqual ? variant : undefined;
  }
}

/** Appends a page to a list. A list above the limit keeps its cursor, so it never counts as whole. */
function followed(list: Meta, page: Meta): Meta {
  const name = Object.keys(ITEMS).find((member) => Array.isArray(own(list, member)) && Array.isArray(own(page, member)));
  if (name === undefined) return list;
  const items = [...(own(list, name) as unknown[]), ...(own(page, name) as unknown[])];
  return items.length > MAX_ITEMS ? list : { [name]: items, nextCursor: own(page, 'nextCursor') };
}

/** The SDK drops members it does not know and may leave out tools. Items of later pages follow those of the first. */
function fits(stored: Meta, page: Meta): boolean {
  const [kept, delivered] = [itemsOf(stored), itemsOf(page)];
  if (kept === undefined || delivered === undefined) return false;
  // Looked up by id: a search for each item would hold up the process for a list of ten thousand.
  const byId = new Map<unknown, unknown[]>();
  for (const [id, item] of delivered) {
    const same = byId.get(id);
    if (same === undefined) byId.set(id, [item]);
    else same.push(item);
  }
  let known = 0;
  for (const [id, item] of kept) {
    const same = byId.get(id);
    if (same === undefined) continue;
    if (!same.some((other) => isPartOf(item, other))) return false;
    known++;
  }
  if (own(page, 'nextCursor') === undefined) return known === kept.length;
  return known > 0 || delivered.length === 0;
}

function itemsOf(result: Meta): [id: unknown, item: unknown][] | undefined {
  for (const [name, id] of Object.entries(ITEMS)) {
    const items = own(result, name);
    if (Array.isArray(items)) return items.map((item: unknown) => [isObject(item) ? own(item, id) : undefined, item]);
  }
  return undefined;
}

function isPartOf(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && part.length === whole.length && part.every((item, at) => isPartOf(item, whole[at]));
  if (!isObject(part)) return part === whole;
  return isObject(whole) && Object.entries(part).every(([name, value]) => isPartOf(value, own(whole, name)));
}
