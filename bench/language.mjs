// @ts-check
import { match } from '@formatjs/intl-localematcher';
import Negotiator from 'negotiator';
import { languageChooser } from 'waybill/adapter';

/**
 * One choice of a language, from the header to the tag. "Repeated": the same eight headers again and again, as one user's requests come.
 * "First time": 4096 different headers in turn, far more than any memo of ours keeps, so each is parsed and matched anew; the single
 * ranges in them do come back, as they do in life, and both sides may know those.
 */

const LANGUAGES = 'en en-GB fr fr-CA de es es-419 pt-BR pt-PT it nl pl sv nb da fi ja ko zh-Hans zh-Hant'.split(' ');
const WISHES =
  'fr-CH fr de-AT de-CH de en-US en en-AU en-IN es-MX es-AR es pt pt-AO it-CH it nl-BE nl sv-FI da-DK nn-NO nb fi pl ja-JP ja ko-KR zh-TW zh-HK zh-CN gsw ca cs uk tr ar-EG hi vi th el hu ro'.split(
    ' ',
  );

let seed = 42;
/** @param {number} below */
function dice(below) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}

/** Two to six wishes, each weighing less than the one before. */
function header() {
  const wishes = Array.from({ length: 2 + dice(5) }, () => /** @type {string} */ (WISHES[dice(WISHES.length)]));
  return wishes.map((wish, at) => (at === 0 ? wish : `${wish};q=${(1 - at / 10 - dice(9) / 100).toFixed(2)}`)).join(', ');
}

/** @param {(text: string) => boolean} fits @param {number} count @returns {string[]} */
function headers(fits, count) {
  const found = new Set();
  while (found.size < count) {
    const text = header();
    if (fits(text)) found.add(text);
  }
  // As they arrive: flat strings out of a parsed message.
  return JSON.parse(JSON.stringify([...found]));
}

/** @param {string} text */
function negotiator(text) {
  return new Negotiator({ headers: { 'accept-language': text } }).language(LANGUAGES);
}

/** Best fit behind the parser that most people write. @param {string} text */
function bestFit(text) {
  const wanted = text
    .split(',')
    .map((member) => {
      const [tag, weight] = member.trim().split(';q=');
      return { tag: /** @type {string} */ (tag), q: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ tag, q }) => q > 0 && tag !== '*')
    .sort((a, b) => b.q - a.q)
    .map(({ tag }) => tag);
  return match(wanted, LANGUAGES, 'en');
}

const lookup = languageChooser(LANGUAGES, { strategy: 'rfc4647' });
const cldr = languageChooser(LANGUAGES);
/** @param {string} text */
const byLookup = (text) => lookup.choose(text).language;
/** @param {string} text */
const byDistance = (text) => cldr.choose(text).language;

// Pure lookup and the peers answer some headers differently, by design; those on which they agree make a fair race.
const common = headers((text) => lookup.choose(text).matched && byLookup(text) === negotiator(text), 4096);
const near = headers((text) => byDistance(text) === bestFit(text), 4096);
const few = common.slice(0, 8);

/** @type {unknown} */
let sink;
/** @param {string[]} texts @param {(text: string) => unknown} choose @returns {(n: number) => unknown} */
const each = (texts, choose) => {
  let at = 0;
  return (n) => {
    for (let i = 0; i < n; i++) {
      sink = choose(/** @type {string} */ (texts[at]));
      at = at + 1 === texts.length ? 0 : at + 1;
    }
    return sink;
  };
};

export const title = 'Language: one choice';

export const rows = [
  {
    name: 'language choice, repeated, 20 tags',
    peer: 'negotiator',
    ratio: 'peer/ours',
    target: 50,
    check: () => few.every((text) => byLookup(text) === negotiator(text)),
    arms: { ours: each(few, byLookup), peer: each(few, negotiator) },
  },
  {
    name: 'language choice, first time, rfc4647, 20 tags',
    peer: 'negotiator',
    ratio: 'peer/ours',
    target: 3,
    check: () => common.every((text) => byLookup(text) === negotiator(text)),
    arms: { ours: each(common, byLookup), peer: each(common, negotiator) },
  },
  {
    name: 'language choice, first time, cldr, 20 tags',
    peer: '@formatjs/intl-localematcher behind a plain parser',
    ratio: 'ours/peer',
    target: 1.15,
    check: () => near.every((text) => byDistance(text) === bestFit(text)),
    arms: { ours: each(near, byDistance), peer: each(near, bestFit) },
  },
];
