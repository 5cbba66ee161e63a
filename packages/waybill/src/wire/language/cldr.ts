import { ResolveLocale } from '@formatjs/intl-localematcher';
import { type Available, type Hit, type Match, lookupAt } from './lookup.js';
import { keep } from '../memo.js';
import { intlTag } from './tag.js';

/**
 * CLDR best fit (D-10): `zh-TW` finds `zh-Hant`, `nn` finds `nb`. A library knows the distances. Peers must not reach two of its weaknesses: it
 * throws on ranges that `Intl` refuses, so it gets only ranges that `Intl` has made canonical; and it remembers every tag it ever saw, so it
 * gets a bounded number of them. Beyond that a new range gets RFC 4647 lookup, which needs no memory.
 */
const MAX_TAGS_SHOWN = 10_000;
const shownByProcess = new Set<string>();

/** A range that the library can judge, and the tag it finds for this range alone. */
interface Reach {
  readonly tag: string;
  readonly best: string;
}

/** `shown`: the tags that the library has seen. The library is one for the process, and so is the set. */
export function cldrMatch(available: Available, fallback: string, shown = shownByProcess): Match {
  const canonical = available.tags.map(intlTag);
  const groups = new Map<string, number[]>();
  canonical.forEach((tag, at) => {
    if (tag === undefined) return;
    const group = groups.get(tag);
    if (group === undefined) groups.set(tag, [at]);
    else group.push(at);
  });
  const supported = [...groups.keys()];
  // Among equals the default comes first (D-10). It is passed in a spelling that is not in the list, to tell "no match" from "the default matched".
  const likeFallback = intlTag(fallback) ?? 'und';
  const none = `${likeFallback}${likeFallback.includes('-x-') ? '' : '-x'}-none`;
  const noMatch = () => none;
  const reaches = new Map<string, Reach | null>();

  function mayShow(tag: string): boolean {
    if (shown.has(tag)) return true;
    if (shown.size >= MAX_TAGS_SHOWN) return false;
    shown.add(tag);
    return true;
  }

  function best(wanted: readonly string[], among: readonly string[]): string | undefined {
    try {
      const { locale } = ResolveLocale(among, wanted, BEST_FIT, [], {}, noMatch);
      return locale === none ? undefined : locale;
    } catch {
      return undefined;
    }
  }

  /** `null`: the library found nothing near. `undefined`: the library was not asked. */
  function reach(range: string): Reach | null | undefined {
    const known = reaches.get(range);
    if (known !== undefined) return known;
    const tag = intlTag(range);
    if (tag === undefined || !mayShow(tag)) return undefined;
    const found = best([tag], supported);
    return keep(reaches, range, found === undefined ? null : { tag, best: found });
  }

  return (wishes, count, refused) => {
    const pending: { reach: Reach; wish: number }[] = [];
    let certain: Hit | undefined;
    for (let wish = 0; wish < count && certain === undefined; wish++) {
      const range = wishes[wish]?.range ?? '';
      const exact = available.at.get(range);
      if (exact !== undefined && !refused.has(exact)) certain = { tag: exact, wish };
      else {
        const found = reach(range);
        if (found) pending.push({ reach: found, wish });
        else if (found === undefined) {
          const tag = lookupAt(available, range, refused);
          if (tag >= 0) certain = { tag, wish };
        }
      }
    }
    if (pending.length === 0) return certain;
    const among = refused.size === 0 ? supported : supported.filter((tag) => groups.get(tag)?.some((at) => !refused.has(at)));
    const wanted = pending.map(({ reach }) => reach.tag);
    const exact = certain && canonical[certain.tag];
    if (exact !== undefined) wanted.push(exact);
    // All ranges at once: as in CLDR, a near match of a later range beats a far match of an earlier one.
    const found = best(wanted, among);
    if (found === undefined || found === exact) return certain;
    const tag = groups.get(found)?.find((at) => !refused.has(at));
    const answered = pending.find(({ reach }) => (refused.size === 0 ? reach.best : best([reach.tag], among)) === found) ?? pending[0];
    return tag === undefined || answered === undefined ? certain : { tag, wish: answered.wish };
  };
}

const BEST_FIT = { localeMatcher: 'best fit' };
