// This order keeps similar files next to each other, which packs better. Languages without spaces come last: they bring parser code along.
import { english } from './en.js';
import { dutch } from './nl.js';
import { german } from './de.js';
import { french } from './fr.js';
import { italian } from './it.js';
import { spanish } from './es.js';
import { portuguese } from './pt.js';
import { Languages } from './languages.js';
import { others } from '../relative.js';
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
