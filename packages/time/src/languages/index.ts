// Languages without spaces come last: they bring parser code along, and similar files pack better next to each other.
import { german } from './de.js';
import { english } from './en.js';
import { spanish } from './es.js';
import { french } from './fr.js';
import { italian } from './it.js';
import { Languages } from './languages.js';
import { others } from '../relative.js';
import { dutch } from './nl.js';
import { portuguese } from './pt.js';
import { japanese } from './ja.js';
import { chinese } from './zh.js';

export const nineLanguages: Languages = /* @__PURE__ */ new Languages(
  {
    de: german,
    en: english,
    es: spanish,
    fr: french,
    it: italian,
    ja: japanese,
    nl: dutch,
    pt: portuguese,
    zh: chinese,
  },
  others,
);
