/** Languages in which this runtime can say a relative time. */

/** Three letters leave 17,576 codes to ask for, most of a second: these have had data in some runtime. Codes of two are all asked. */
const LONG_CODES =
  'agq ars asa ast bas bem bez bgc bho blo brx bua ccp ceb cgg chr ckb csw dav doi dje dsb dua dyo ebu ewo fil fur gaa gsw guz haw hsb ' +
  'jgo jmc kab kam kde kea kgp khq kkj kln kok ksb ksf ksh kxv lag lij lkt lmo lrc luo luy mai mas mer mfe mgh mgo mni mua mzn naq nds ' +
  'nmg nnh nqo nso nus nyn pcm pms prg raj rof rwk sah saq sat sbp scn seh ses shi shn smn syr szl teo tok twq tyv tzm vai vec vmw vun ' +
  'wae xnr xog yav yrl yue zgh';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');

export function spokenLanguages(): string[] {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).concat(LONG_CODES.split(' '));
  const known = new Set(Intl.RelativeTimeFormat.supportedLocalesOf(codes).map((tag) => new Intl.Locale(tag).language));
  return [...known].filter(speaks).sort();
}

/** A runtime can list a language and have no words for it: then it writes "+1 d". */
const speaks = (code: string): boolean => !/^[+-]/.test(new Intl.RelativeTimeFormat(code, { numeric: 'auto' }).format(1, 'day'));
