/**
 * Words beside a phrase that change what it means (until, since, after, not, the end of), in languages of which we know no more than the
 * phrases. There is no answer where one of them stands: "до завтра" is not tomorrow. What is not in this list is taken for a word like any other.
 */
import { fold } from './parse/fold.js';

const WORDS: Readonly<Record<string, string>> = {
  ar: 'حتى إلى لغاية منذ ابتداء بعد قبل ليس لا غير عدا إلا نهاية بداية أواخر أوائل منتصف آخر',
  bg: 'до от след преди не освен край края началото средата',
  ca: 'fins des després abans no excepte final finals principi principis',
  cs: 'do od po před ne kromě konec konce konci koncem začátek začátku začátkem',
  da: 'til indtil siden efter før inden ikke undtagen slutningen starten begyndelsen',
  el: 'μέχρι έως ως από μετά πριν όχι εκτός τέλος τέλη αρχή αρχές',
  fa: 'تا از بعد قبل نه غیر پایان آخر اول آغاز',
  fi: 'asti saakka lähtien alkaen jälkeen ennen ei paitsi loppu lopussa loppuun alku alussa',
  he: 'עד מאז מ החל אחרי לפני לא חוץ מלבד סוף תחילת ראשית',
  hi: 'तक से बाद पहले नहीं अंत आखिर शुरू शुरुआत छोड़कर अलावा',
  hr: 'do od nakon poslije prije ne osim kraj kraja kraju početak početka početku',
  hu: 'ig óta tól től után előtt nem kivéve vége végén végéig eleje elején',
  id: 'sampai hingga sejak mulai setelah sesudah sebelum bukan tidak kecuali akhir awal pertengahan',
  ko: '까지 부터 이후 이전 이래 이후로 전 후 제외 제외하고 말고 빼고 아닌 말 초 중순 하순 상순',
  lt: 'iki nuo po prieš ne išskyrus pabaiga pabaigoje pradžia pradžioje',
  lv: 'līdz kopš no pēc pirms ne izņemot beigas beigās sākums sākumā',
  ms: 'sampai hingga sejak mulai selepas sebelum bukan tidak kecuali akhir hujung awal',
  nb: 'til inntil siden etter før innen ikke unntatt slutten starten begynnelsen',
  no: 'til inntil siden etter før innen ikke unntatt slutten starten begynnelsen',
  pl: 'do od po przed nie oprócz poza koniec końca końcu końcem początek początku początkiem',
  ro: 'până după înainte nu exceptând sfârșitul sfârșit începutul început',
  ru: 'до с со после перед к не кроме конец конца конце начало начала начале середина середины середине',
  sk: 'do od po pred nie okrem koniec konca konci začiatok začiatku',
  sr: 'до од након после пре не осим крај краја крају почетак почетка почетку',
  sv: 'till tills sedan efter före innan inte utom slutet början',
  th: 'จนถึง ถึง จน ตั้งแต่ จาก หลัง หลังจาก ก่อน ไม่ใช่ ไม่ ยกเว้น สิ้น ปลาย ต้น กลาง',
  tr: 'kadar dek beri itibaren sonra önce değil hariç sonu sonuna sonunda başı başında',
  uk: 'до з із зі після перед не крім кінець кінця кінці початок початку',
  vi: 'đến tới từ kể sau trước không trừ cuối đầu giữa',
};

const folded = new Map<string, readonly string[]>();

function spoilersOf(language: string): readonly string[] {
  const known = folded.get(language);
  if (known) return known;
  const words = Object.hasOwn(WORDS, language) ? (WORDS[language] ?? '').split(' ').map((word) => fold(word).text) : [];
  folded.set(language, words);
  return words;
}

/** `isWord`: whether a word goes on at that place of the text. */
export function isSpoilt(
  text: string,
  start: number,
  end: number,
  language: string,
  isWord: (text: string, at: number) => boolean,
): boolean {
  const [before, after] = [text.slice(0, start).trimEnd(), text.slice(end).trimStart()];
  return spoilersOf(language).some(
    (word) =>
      (before.endsWith(word) && !isWord(before, before.length - word.length - 1)) ||
      (after.startsWith(word) && !isWord(after, word.length) && endsWord(after, word)),
  );
}

/** Korean has particles behind a word of one syllable; with another syllable there it is another word. */
function endsWord(text: string, word: string): boolean {
  return word.length > 1 || !/^[^에의까로\P{L}]/u.test(text.slice(word.length));
}
