import { checkNames, expectFunction } from '../../../wire/check.js';
import type { ListCache, ListCacheOptions, ListRequest } from '../lists.js';
import { Accepted } from './early.js';
import { FinishedAnswers } from './finished.js';

const NAMES = ['public', 'listKey', 'maxAge', 'maxVariants', 'maxBytes', 'clock'] satisfies (keyof ListCacheOptions)[];

export class CachedLists implements ListCache {
  readonly answers: FinishedAnswers;
  /** Requests that a server has answered, by their envelope, and requests that reached one over HTTP, by envelope and headers. */
  readonly accepted = new Accepted();
  readonly key: (request: ListRequest) => string | undefined;
  readonly clock: () => number;
  /** The last result of each method, so that the next one can share equal parts. */
  readonly latest = new Map<string, object>();
  /** Grows when a list changes: an answer that was begun before is not cached after. */
  generation = 0;

  constructor(options: ListCacheOptions) {
    checkNames(options, NAMES, 'lists');
    const { public: everybody, listKey, maxAge = 60_000, maxVariants = 256, maxBytes = 256 * 1024 * 1024, clock = Date.now } = options;
    if ((everybody === true) === (listKey !== undefined))
      throw new TypeError('lists: expected either public: true, if the lists are the same for everybody, or a function listKey(request)');
    expectFunction(listKey, 'lists.listKey');
    expectFunction(clock, 'lists.clock');
    for (const [name, value] of Object.entries({ maxAge, maxVariants, maxBytes }))
      if (!(typeof value === 'number' && value > 0)) throw new RangeError(`lists.${name}: expected a positive number`);
    this.key = listKey ?? (() => '');
    this.clock = clock;
    this.answers = new FinishedAnswers({ maxAge, maxVariants, maxBytes, clock });
  }

  get size(): number {
    return this.answers.size;
  }

  get bytes(): number {
    return this.answers.bytes;
  }

  drop(method?: string): void {
    this.generation++;
    this.latest.clear();
    this.answers.drop(method === undefined ? '' : `${method} `);
  }
}
