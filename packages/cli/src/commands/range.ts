import { explain, type Interval, type Obstacle, range, type RangeOptions, supportedLanguages } from '@waybill/time';
import { checkLanguages, checkLocale, checkNow, checkZone, firstTag } from '../context/check.js';
import { usage } from '../failure.js';
import { type CommandAnswer, type Run, textOf } from '../run.js';

const OBSTACLES: Readonly<Record<Obstacle['reason'], string>> = {
  nothing: 'it says nothing about time',
  beside: 'a word beside the phrase changes it',
  vague: 'it leaves open how much is meant',
  several: 'it means more than one time',
  impossible: 'it names a time that does not exist',
  calendar: 'it needs a calendar of holidays or a fiscal year',
};

export function run(run: Run): CommandAnswer {
  const phrase = run.words.join(' ');
  if (phrase.trim() === '') throw usage('no PHRASE is given', 'It looks like this: waybill range "last month"');
  const options = optionsOf(run);
  const isOpen = textOf(run, 'locale') === undefined && textOf(run, 'lang') === undefined;
  const found = range(phrase, options) ?? (isOpen ? inAnother(phrase, options, run) : undefined);
  if (found !== undefined) {
    const result = {
      ...asInstants(found),
      kind: found.kind,
      grain: found.grain,
      text: found.text,
      alternatives: (found.alternatives ?? []).map(asInstants),
    };
    const others = (found.alternatives ?? []).map((one) => `or  ${line(one)}`);
    return { result, text: [line(found), ...others].join('\n') };
  }
  const { obstacle } = explain(phrase, options);
  const why = obstacle === undefined ? OBSTACLES.nothing : OBSTACLES[obstacle.reason];
  run.out.note(`No answer in ${options.locale}: ${why}${obstacle === undefined || obstacle.text === '' ? '' : ` ("${obstacle.text}")`}.`);
  if (isOpen) run.out.note('  --lang names the language of the phrase.');
  return { ok: false, result: { none: true, obstacle: obstacle ?? null }, text: '' };
}

/** Reads a phrase that is not in the language of this machine. Languages that disagree give no answer. */
function inAnother(phrase: string, options: RangeOptions, run: Run): ReturnType<typeof range> {
  const read = supportedLanguages().grammar.flatMap((locale) => {
    const found = range(phrase, { ...options, locale, whole: true });
    return found === undefined ? [] : [{ locale, found }];
  });
  const [first] = read;
  if (first === undefined || new Set(read.map(({ found }) => line(found))).size > 1) return undefined;
  run.about.language = first.locale;
  run.out.note(`Read as ${new Intl.DisplayNames(['en'], { type: 'language' }).of(first.locale) ?? first.locale}.`);
  return first.found;
}

function optionsOf(run: Run): RangeOptions & { locale: string } {
  const system = new Intl.DateTimeFormat().resolvedOptions();
  const [lang, locale, zone, now, prefer] = ['lang', 'locale', 'tz', 'now', 'prefer'].map((name) => textOf(run, name));
  if (prefer !== undefined && prefer !== 'past' && prefer !== 'future') throw usage('--prefer: expected past or future');
  const language = lang === undefined ? undefined : firstTag(checkLanguages(lang));
  return {
    timezone: zone === undefined ? system.timeZone : checkZone(zone),
    locale: locale === undefined ? (language ?? system.locale) : checkLocale(locale),
    now: now === undefined ? Date.now() : checkNow(now),
    ...(prefer !== undefined && { prefer }),
  };
}

const asInstants = ({ start, end }: Interval) => ({ start: start?.toString() ?? null, end: end?.toString() ?? null });
const line = (one: Interval): string => `${one.start?.toString() ?? '…'}  to  ${one.end?.toString() ?? '…'}`;
