/**
 * Words that may touch a phrase and leave it as it is ("sales", "orders", "show", "how many"), in languages of which we know no more than the
 * phrases. Beside any other word there is no answer, so a language that is missing here answers a phrase alone. A dash stands for any ending.
 */
import { fold } from './parse/fold.js';
import { listOf, type List } from './parse/list.js';
import { NO_WORDS, type Words } from './parse/words.js';

const NEUTRAL: Readonly<Record<string, string>> = {
  ar: 'مبيعات المبيعات طلبات الطلبات فواتير الفواتير إيرادات الإيرادات عملاء العملاء تقرير التقرير اجتماع الاجتماع ما كم من هل كانت كان أرني اعرض',
  bg: 'продажб- поръчк- приход- фактур- клиент- отчет- среща- срещи- какво какви колко кой покажи дай бяха беше има',
  ca: 'vend- comand- ingress- factur- client- informe- reuni- què quin- quant- qui mostra dona',
  cs: 'prodej- objednáv- tržb- faktur- zákazní- zpráv- schůzk- report- co kolik jak- kdo ukaž zobraz byl- přehled- výsledk-',
  da: 'salg- ordre- omsætning- faktur- kunde- rapport- møde- hvad hvor mange hvilke hvem vis var er blev resultat- tal',
  el: 'πωλήσ- παραγγελ- έσοδα τιμολόγι- πελάτ- αναφορ- συνάντησ- τι πόσ- ποι- δείξε ήταν',
  fa: 'فروش سفارش سفارش‌های درآمد فاکتور مشتری گزارش جلسه چه چقدر چند نشان بود',
  fi: 'myyn- tilau- tulo- lasku- asiak- rapor- kokou- mitä mikä paljonko montako kuka näytä oli olivat',
  he: 'מכירות המכירות הזמנות ההזמנות הכנסות חשבוניות לקוחות דוח פגישה מה כמה מי הצג היו היה',
  hi: 'बिक्री ऑर्डर आय राजस्व बिल ग्राहक रिपोर्ट मीटिंग बैठक क्या कितने कितनी कितना कौन दिखाओ दिखाएं हुई थी',
  hr: 'prodaj- narudž- prihod- račun- kupac- kupc- klijent- izvješ- sastan- što koliko koj- tko pokaži bil-',
  hu: 'eladás- rendelés- bevétel- száml- ügyf- jelentés- mi mit mennyi hány ki mutasd volt voltak',
  id: 'penjualan pesanan pendapatan faktur pelanggan laporan rapat apa berapa siapa tampilkan tunjukkan',
  ko: '매출 판매 주문 수익 청구서 고객 보고서 회의 결과 데이터 가입 결제 환불 배송 몇 무엇 뭐 얼마 누가 보여',
  nb: 'salg- ordre- bestilling- omsetning- faktur- kunde- rapport- møte- hva hvor mange hvilke hvem vis var er ble resultat- tall',
  pl: 'sprzeda- zamówie- przych- faktur- klien- raport- spotkani- co ile jak- kto pokaż wyświetl był- wynik-',
  ro: 'vânzăr- comen- venit- factur- clien- raport- întâlnir- ce cât câte câți cine arată au fost',
  ru: 'продаж- заказ- выручк- счета счетов счёт- клиент- отчёт- отчет- встреч- доход- результат- что сколько как- кто покажи показать был-',
  sk: 'predaj- objednáv- tržb- faktúr- zákazní- správ- stretnut- čo koľko ak- kto ukáž bol-',
  sl: 'prodaj- naročil- prihod- račun- strank- poročil- sestan- kaj koliko kater- kdo pokaži bil-',
  sv: 'försäljning- order- beställning- omsättning- intäkt- faktur- kund- rapport- möte- vad hur många vilka vem visa var är blev resultat- siffr-',
  th: 'ยอดขาย การขาย ขาย คำสั่งซื้อ ออเดอร์ รายได้ ใบแจ้งหนี้ ลูกค้า รายงาน ประชุม เท่าไร เท่าไหร่ กี่ อะไร แสดง',
  tr: 'satış- sipariş- gelir- ciro- fatura- müşteri- rapor- toplantı- ne kaç kim hangi göster- oldu var',
  uk: 'продаж- замовлен- виручк- рахун- клієнт- звіт- зустріч- дох- що скільки як- хто покажи був бул-',
  vi: 'doanh số bán đơn hàng thu hóa khách báo cáo họp gì bao nhiêu ai cho xem',
};
/** Prepositions and particles between such a word and the phrase, which say nothing themselves. */
const LINKS: Readonly<Record<string, string>> = {
  ar: 'في',
  bg: 'за през',
  ca: 'per de del la el les els',
  cs: 'za',
  da: 'for',
  el: 'για',
  hi: 'की का के में',
  hr: 'za',
  id: 'untuk',
  ko: '의 에 은 는',
  nb: 'for',
  pl: 'za',
  ro: 'a pentru',
  ru: 'за по как',
  sk: 'za',
  sl: 'za',
  sv: 'för',
  th: 'ของ',
  uk: 'за як',
  vi: 'của',
};
/** Written so by the runtime, or near enough. */
const SAME: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb', bs: 'hr' };

export interface Neutral {
  readonly words: List;
  readonly links: List;
}
const known = new Map<string, Neutral>();

export function neutralIn(language: string): Neutral {
  const name = Object.hasOwn(SAME, language) ? (SAME[language] ?? language) : language;
  let found = known.get(name);
  const list = (from: Readonly<Record<string, string>>): List => listOf(Object.hasOwn(from, name) ? (from[name] ?? '') : '');
  if (!found) known.set(name, (found = { words: list(NEUTRAL), links: list(LINKS) }));
  return found;
}

/** The same words beside a date in figures or an English phrase. */
export function neutralWords(language: string): Words {
  const { words, links } = neutralIn(language);
  return { ...NO_WORDS, isNeutral: (word) => [words, links].some(({ has }) => has(fold(word).text)) };
}
