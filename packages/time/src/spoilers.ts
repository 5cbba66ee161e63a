/**
 * Words beside a phrase that change what it means (until, since, after, not, the end of), in languages of which we know no more than the
 * phrases. There is no answer where one of them stands: "до завтра" is not tomorrow. What is not in this list is taken for a word like any other.
 */
import { fold } from './parse/fold.js';

/** On the side where they belong to the phrase: on the other one they belong to what comes next ("завтра с Иваном"). */
const BEFORE: Readonly<Record<string, string>> = {
  ar: 'حتى إلى لغاية منذ ابتداء بعد قبل ليس لا غير عدا إلا نهاية بداية أواخر أوائل منتصف آخر أكثر أقل حوالي تقريبا كل باستثناء',
  bg: 'до от след преди не освен край края началото средата или повече по-малко почти всеки около над най-късно най-рано изключение',
  ca: 'fins des després abans no excepte final finals principi principis o més quasi gairebé cada més menys excepció tard aviat',
  cs: 'do od po před ne kromě konec konce konci koncem začátek začátku začátkem více méně než každý každou skoro nebo později dříve polovina téměř asi zhruba přes jen nejpozději nejdříve',
  da: 'til indtil siden efter før inden undtagen slutningen starten begyndelsen ikke mere end fra senest midten hver mindre over eller senere tidligere halve næsten omkring cirka knap kun bortset tidligst',
  el: 'μέχρι έως ως από μετά πριν όχι εκτός τέλος τέλη αρχή αρχές περισσότερο λιγότερο κάθε σχεδόν ή αργότερα περίπου μόνο αργότερο νωρίτερο',
  et: 'kuni alates pärast enne mitte ei peaaegu umbes iga lõpp lõpus algus alguses rohkem vähem välja arvatud hiljemalt',
  fa: 'تا از بعد قبل نه غیر پایان آخر اول آغاز بیش کمتر تقریبا هر',
  fi: 'ennen ei paitsi yli alle joka melkein tai myöhemmin puolet lähes noin vain enemmän vähemmän viimeistään aikaisintaan lukuun ottamatta',
  he: 'עד מאז החל אחרי לפני לא חוץ מלבד סוף תחילת ראשית יותר פחות כמעט כל בערך לכל המאוחר',
  hr: 'do od nakon poslije prije ne osim kraj kraja kraju početak početka početku ili kasnije više manje skoro gotovo svaki oko najkasnije najranije',
  hu: 'nem kivéve majdnem közel több kevesebb mint körülbelül minden csak legkésőbb legkorábban',
  id: 'sampai hingga sejak mulai setelah sesudah sebelum bukan tidak kecuali akhir awal pertengahan lebih kurang dari setiap hampir dalam atau sekitar hanya paling',
  ko: '늦어도 빨라도 거의 약 대략 매 단지 아마',
  tr: 'en geç neredeyse yaklaşık her sadece hariç',
  lt: 'iki nuo po prieš ne išskyrus pabaiga pabaigoje pradžia pradžioje daugiau mažiau beveik kas apie vėliausiai anksčiausiai',
  lv: 'līdz kopš no pēc pirms ne izņemot beigas beigās sākums sākumā vairāk mazāk gandrīz katru apmēram vēlākais agrākais',
  ms: 'sampai hingga sejak mulai selepas sebelum bukan tidak kecuali akhir hujung awal',
  nb: 'til inntil siden etter før innen unntatt slutten starten begynnelsen ikke mer enn fra senest midten hver mindre over eller senere tidligere halve nesten omtrent rundt knapt bare bortsett tidligst',
  no: 'til inntil siden etter før innen unntatt slutten starten begynnelsen ikke mer enn fra senest midten hver mindre over eller senere tidligere halve nesten omtrent rundt knapt bare bortsett tidligst',
  pl: 'do od po przed nie oprócz poza koniec końca końcu końcem początek początku początkiem ponad więcej mniej niż najmniej najpóźniej każdy każda każdego prawie około lub albo później wcześniej połowa nigdy niemal ok blisko tylko najwcześniej wyjątkiem',
  ro: 'până după înainte nu exceptând sfârșitul sfârșit începutul început peste mai mult fiecare aproape sau mai târziu jumătate decât cam doar excepția târziu devreme',
  ru: 'до с со после перед к не кроме конец конца конце начало начала начале середина середины середине более больше свыше менее меньше начиная раньше позже позднее каждый каждую каждое почти около примерно или половина включительно никогда исключением',
  sk: 'do od po pred nie okrem koniec konca konci začiatok začiatku alebo neskôr takmer asi viac menej než vyše každý polovica najneskôr najskôr',
  is: 'til frá síðan eftir fyrir ekki nema næstum hver hvern lok byrjun meira minna',
  sl: 'do od po pred ne razen konec konca začetek začetka skoraj več manj vsak najpozneje',
  af: 'tot sedert vanaf na voor nie behalwe amper byna einde begin elke meer minder',
  sw: 'hadi tangu baada kabla si isipokuwa karibu kila mwisho mwanzo zaidi',
  gl: 'ata desde despois antes non agás case cada fin final principio máis menos',
  eu: 'ez ia gutxi gehiago',
  sr: 'до од након после пре не осим крај краја крају почетак почетка почетку више мање скоро сваки око најкасније осим',
  sv: 'tills efter före innan utom slutet början till tills sedan inte ej mer än fram från senast mitten varje var mindre över eller senare tidigare halva hela nästan ungefär cirka drygt knappt bara förutom tidigast',
  th: 'จนถึง ถึง จน ตั้งแต่ จาก หลัง หลังจาก ก่อน ไม่ใช่ ไม่ ยกเว้น สิ้น ปลาย ต้น กลาง มากกว่า น้อยกว่า เกือบ ประมาณ ทุก นอกจาก',
  uk: 'до з із зі після перед не крім кінець кінця кінці початок початку більше менше понад кожен кожного майже або половина приблизно близько окрім пізніше раніше',
  vi: 'đến tới từ kể sau trước không trừ cuối đầu giữa hơn mỗi gần trong hoặc nửa khoảng chỉ muộn sớm nhất',
};
const BEHIND: Readonly<Record<string, string>> = {
  fi: 'asti saakka lähtien alkaen jälkeen lopussa loppuun alussa',
  hi: 'तक से बाद पहले नहीं अंत आखिर शुरू शुरुआत छोड़कर अलावा ज़्यादा अधिक कम हर लगभग भीतर',
  hu: 'ig óta tól től után előtt vége végén végéig eleje elején',
  ko: '까지 부터 이후 이전 이래 이후로 제외 제외하고 말고 빼고 아닌 말 초 중순 하순 상순 이내 이내에 이상 넘게 동안 내내 매 각 아니라 전 후 보다 또는 절반',
  tr: 'kadar dek beri itibaren hariç sonu sonuna başı başında değin sonra önce değil fazla az her hemen yaklaşık en veya öncesi sonrası yarısı öncesinde sonrasında',
};

interface Spoilers {
  readonly before: readonly string[];
  readonly behind: readonly string[];
}
const known = new Map<string, Spoilers>();

function spoilersOf(language: string): Spoilers {
  let found = known.get(language);
  if (found === undefined) {
    const words = (from: Readonly<Record<string, string>>): string[] =>
      Object.hasOwn(from, language) ? (from[language] ?? '').split(' ').map((word) => fold(word).text) : [];
    known.set(language, (found = { before: words(BEFORE), behind: words(BEHIND) }));
  }
  return found;
}

/** A word beside the phrase, on either side of it. */
export function isSpoiler(word: string, language: string): boolean {
  const { before, behind } = spoilersOf(language);
  return before.includes(word) || behind.includes(word);
}

/** `isWord`: whether a word goes on at that place of the text. */
export function isSpoilt(
  text: string,
  start: number,
  end: number,
  language: string,
  isWord: (text: string, at: number) => boolean,
): boolean {
  const { before, behind } = spoilersOf(language);
  const [left, right] = [text.slice(0, start).trimEnd(), text.slice(end).trimStart()];
  return (
    before.some((word) => left.endsWith(word) && !isWord(left, left.length - word.length - 1)) ||
    behind.some((word) => right.startsWith(word) && !isWord(right, word.length) && endsWord(right, word))
  );
}

/** Korean has particles behind a word of one syllable; with another syllable there it is another word. */
function endsWord(text: string, word: string): boolean {
  return word.length > 1 || !/^[^에의까로\P{L}]/u.test(text.slice(word.length));
}
