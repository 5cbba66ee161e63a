/** Contexts by name and by words, for `compare --as`. */
import { usage } from '../failure.js';
import { didYouMean, suggestion } from '../nearest.js';
import { nameOf, optionGroups } from '../options.js';

const preset = (lang: string, tz: string, locale: string) => ({ lang, tz, locale });

const PRESETS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  vienna: preset('de-AT', 'Europe/Vienna', 'de-AT'),
  london: preset('en-GB', 'Europe/London', 'en-GB'),
  paris: preset('fr', 'Europe/Paris', 'fr-FR'),
  'new-york': preset('en-US', 'America/New_York', 'en-US'),
  'los-angeles': preset('en-US', 'America/Los_Angeles', 'en-US'),
  'sao-paulo': preset('pt-BR', 'America/Sao_Paulo', 'pt-BR'),
  cairo: preset('ar-EG', 'Africa/Cairo', 'ar-EG'),
  kolkata: preset('hi-IN', 'Asia/Kolkata', 'en-IN'),
  taipei: preset('zh-TW', 'Asia/Taipei', 'zh-TW'),
  tokyo: preset('ja', 'Asia/Tokyo', 'ja-JP'),
  sydney: preset('en-AU', 'Australia/Sydney', 'en-AU'),
  /** Sends what a client without Waybill sends. */
  nobody: { ...preset('none', 'none', 'none'), now: 'none' },
};

/** `vienna`, `lang=ja tz=Asia/Tokyo`, or both: `vienna lang=fr`. */
export function contextFrom(text: string): Record<string, string | string[]> {
  const options: Record<string, string | string[]> = {};
  for (const word of text.trim().split(/\s+/)) {
    const [name = '', ...rest] = word.split('=');
    if (rest.length === 0) {
      const found = PRESETS[word.toLowerCase()];
      if (found === undefined)
        throw usage(`--as: no context is called "${word}"`, `${suggestion(word, Object.keys(PRESETS))} Or write lang=ja tz=Asia/Tokyo.`);
      Object.assign(options, found);
    } else {
      const option = optionGroups.context.find((one) => nameOf(one) === name);
      if (option === undefined) throw usage(`--as: "${name}" is not part of a context`, didYouMean(name, optionGroups.context.map(nameOf)));
      const value = rest.join('=');
      options[name] = option.many === true ? [options[name] ?? [], value].flat() : value;
    }
  }
  return options;
}
