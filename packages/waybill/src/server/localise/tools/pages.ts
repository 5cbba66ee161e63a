import { isObject, own } from '../../../wire/json.js';

/** A server whose cursors run in a circle must not keep a program from ending. */
const MAX_PAGES = 1000;

/** Asks for every page of a list. A page that fails is the end of the list; `failed` gets its error. */
export async function pagesOf(ask: (params: object) => unknown, failed?: (error: unknown) => void): Promise<unknown[]> {
  const pages: unknown[] = [];
  let cursor: unknown;
  do {
    try {
      pages.push(await ask(cursor === undefined ? {} : { cursor }));
    } catch (error) {
      failed?.(error);
      return pages;
    }
    const page = pages.at(-1);
    cursor = isObject(page) ? own(page, 'nextCursor') : undefined;
  } while (typeof cursor === 'string' && pages.length < MAX_PAGES);
  return pages;
}
