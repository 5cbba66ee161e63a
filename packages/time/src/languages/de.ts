import { count, noun, pairs, type Beside, type Grammar, type Tense, type Part, type Row } from '../parse/word.js';
import { COMMON } from './common.js';

const ONES = 'ein zwei drei vier fünf sechs sieben acht neun'.split(' ');
const WEEKDAYS = 'montag|dienstag|mittwoch|donnerstag|freitag|samstag, sonnabend|sonntag';
const PARTS: readonly (readonly [Part, string])[] = [
  ['morning', 'früh'],
  ['morning', 'morgen'],
  ['forenoon', 'vormittag'],
  ['noonish', 'mittag'],
  ['afternoon', 'nachmittag'],
  ['evening', 'abend'],
  ['night', 'nacht'],
];

/** Einundzwanzig, einundzwanzigster. */
const tens = (value: number, name: string): Row[] => [
  ...ONES.map((one, index): Row => [{ num: value + index + 1 }, `${one}und${name}`]),
  ...(value < 40 ? ONES.map((one, index): Row => [{ ord: value + index + 1 }, `${one}und${name}st-`]) : []),
];

const PARTICLES =
  'ein|aus|an|auf|ab|um|unter|vor|zu|nach|mit|los|weg|zurück|her|hin|fest|durch|fertig|statt|fehl|bei|zusammen|weiter|heraus|hinzu|bereit|wieder|herunter|hoch|kaputt|bekannt';

const TENSE: Tense = {
  capitals: true,
  past: String.raw`(?:war|wurde|hatte|sank|lag|begann|gewann|wuchs|flog|aß|verlor|entstand|empfahl|mussten?|(?:${PARTICLES}|be|ver|er|ent|zer|über)?(?:ging|kam|fiel|lief|trat|traf|stieg|gab|nahm|rief|fand|zog|brach|sprach|schrieb|schied|schlug|schlief|schloss|blieb|hielt|ließ|las|lud|sah|fuhr)|(?:${PARTICLES})?stand)(?:e?n|s?t)?|beschlossen|(?:${PARTICLES})?ge\p{L}{2,}(?:t|en)(?:e[nrs]?)?|\p{L}{2,}ierten?|(?:ha(?:t|ben?|st|bt)|ist|sind|bin) .*(?<!\p{L})(?:(?:be|ver|er|ent|zer|miss|über|unter|\p{L}+ge)\p{L}{2,}(?:t|en)|\p{L}{2,}iert)|\p{L}{3,}te|(?:be|ver|er|ent|zer)\p{L}+(?:[kgmbz]|ar|hl|ll)ten|(?:kauf|liefer|mach|zahl|melde|schick|buch|nutz|kündig|sag|stell|starte|arbeite|logg|öffne)ten`,
  future: String.raw`w[ie]rd\p{L}*|wirst|soll(?:en)?|(?:geplant|erwartet|fällig|erinner|reservier|vereinbar|verschieb|bevorsteh|anstehend)\p{L}*|planen?|buchen?|voraussichtlich|demnächst|künftig`,
  neither: String.raw`(?:gehör|gewinn|gestalt|genieß|genüg|gefäll|gering|gemein|geeignet|gesamt|genau|geschäft|gebiet|gericht|gerät)\p{L}*|gelten|geschieht|geschlossen|geöffnet|geben|gehen|gegen|genug|gestern|gehalt|gewicht|(?:möch|könn|soll|müss|dürf|hät)te[nt]?|\p{L}*(?:letz|ers|zwei|drit|vier|fünf|sechs|sieb|ach|neun|zehn|elf|zwölf|zigs|nächs|bes|meis|größ|höchs|kleins|neues|ältes|wichtigs)te[nrsm]?|(?:gu|al|wei|rech|ech|leich)te|heute|bitte|mitte|seite|karte|liste|werte|rate|punkte|produkte|projekte|kontakte|berichte?|schritte|sorte|worte|minute|elemente|momente|dokumente|unterhalt|übersicht|ergebnisse?n?|verlust|\p{L}+(?:schaft|[hk]eit)\p{L}*`,
};

const BESIDE: Beside = {
  asks: `was welche welcher welches welchen wer wen wem wie wieviel wieviele wann wo warum wieso hat haben habe hatte hatten war waren ist sind
wird wurde kann können soll sollen muss müssen will wollen möchte zeig- gib geben nenn- liste such- finde hol- ruf- schick-
send- buch- plane bitte ich mir mich wir uns du dich dir ihr sie er es mein- unser- dein- euer- seine- ihre- gab gibt man lass
kannst könntest kam kamen lief ging gingen stieg sank fiel`,
  places: 'nach in im auf bei beim an',
  prepositions: 'fürs zu zum zur bei beim in im um an am ab bis gegen vor nach seit auf unter binnen',
  neutral: `foto- newsletter- abwesend anwesend krank zuständig erreichbar verfügbar und oder aber dass alle alles nur auch noch schon wieder hier pro je
mit ohne von für über aus jemand niemand nichts etwas viel viele nicht danke hallo gerade bereits die das den ein eine einen
umsatz- verkauf- bestell- auftrag- rechnung- kund- nutzer- benutzer- anmeld- termin- treffen- meeting- besprech- sitzung- anruf- bericht-
zahl- ergebnis- daten- kennzahl- fehler- störung- vorfall- ausfall- lief- versand- versend- retour- rückgabe- überweis- einnahm- ausgab-
kosten- gewinn- verlust- marge- lohn- gehalt- miete- steuer- lager- bestand- produkt- artikel- preis- projekt- aufgab- büro-
filial- laden shop- seite- besuch- klick- aufruf- installation- buchung- reise- flug- veranstalt- schulung- konferenz- sicherung- update-
eintrag- nachricht- datei- bild- dokument- vertrag- angebot- wetter- temperatur- verbrauch- auslast- leistung- umfrage- beschwerd-
bewertung- zugriff- wachstum- rückgang- anstieg- übersicht- zusammenfass- auswert- statistik- analyse- arbeit- geöffnet geschlossen
beginn- start- passiert läuft kommt geht fällig arzt zahnarzt party interessent- leads kampagne- traffic- region- neu- export-
import- vergleich- pünktlich genau teurer billiger höher niedriger schief weg frei kalender- überstunden bewerb- land-`,
};

/** German. */
export const german = (): Grammar => ({
  tense: TENSE,
  beside: BESIDE,
  endings: 'e en er es em',
  // naechste is nächste, whose dots are folded away.
  same: [
    ['ae', 'a'],
    ['oe', 'o'],
    ['ue', 'u'],
  ],
  rows: [
    ...COMMON,
    [{ day: 0 }, 'heute,heutig-,heutigen tag,heutiger tag'],
    [{ day: 1, orPart: 'morning' }, 'morgen'],
    [{ day: 1 }, 'morgig-,morgigen tag'],
    [{ day: 1, follows: true }, 'folgetag,tag danach,tag darauf'],
    [{ day: -1 }, 'gestern,gestrig-,gestrigen tag'],
    [{ day: -1, follows: true }, 'vortag,tag davor,tag zuvor'],
    [{ day: 2 }, 'übermorgen'],
    [{ day: -2 }, 'vorgestern'],
    [{ day: 3 }, 'überübermorgen'],
    [{ day: -3 }, 'vorvorgestern'],
    [{ now: true }, 'jetzt,gerade,gerade eben,momentan'],

    ...count('num', 0, 'null|eins|zwei,zwo|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|dreizehn|vierzehn'),
    ...count('num', 15, 'fünfzehn|sechzehn|siebzehn|achtzehn|neunzehn|zwanzig'),
    [{ num: 30 }, 'dreißig'],
    [{ num: 40 }, 'vierzig'],
    [{ num: 60 }, 'sechzig'],
    [{ num: 90 }, 'neunzig'],
    [{ num: 100 }, 'hundert,einhundert'],
    [{ num: 1000 }, 'tausend'],
    ...tens(20, 'zwanzig'),
    ...tens(30, 'dreißig'),
    [{ num: 1, article: true, skip: true }, 'ein,ein-'],
    [{ num: 0.5 }, 'halbe,einer halben,eine halbe'],
    ...count('ord', 1, 'erst-|zweit-|dritt-|viert-|fünft-|sechst-|siebt-,siebent-|acht-|neunt-|zehnt-|elft-|zwölft-'),
    ...count('ord', 13, 'dreizehnt-|vierzehnt-|fünfzehnt-|sechzehnt-|siebzehnt-|achtzehnt-|neunzehnt-|zwanzigst-'),
    [{ ord: 30 }, 'dreißigst-'],
    [{ ordSuffix: true }, 'te,ten,ter,tes,ste,sten,ster'],

    ...noun('second', 'sekunde,sek', 'sekunden'),
    ...noun('minute', 'minute,min', 'minuten'),
    ...noun('hour', 'stunde,std,h', 'stunden'),
    ...noun('day', 'tag,tages,tags', 'tage,tagen'),
    ...noun('week', 'woche', 'wochen', { label: 'week' }),
    ...noun('week', 'kalenderwoche', 'kalenderwochen', { label: 'week', numbered: true }),
    [{ label: 'week', numbered: true }, 'kw'],
    [{ unit: 'weekend' }, 'wochenende,wochenenden,wochenendes,we'],
    [{ unit: 'weekend', span: ['weekend', 0] }, 'am wochenende,übers wochenende,das wochenende,am we,zum wochenende'],
    ...noun('month', 'monat,monats,monates', 'monate,monaten'),
    ...noun('quarter', 'quartal,quartals,vierteljahr,vierteljahres', 'quartale,quartalen,vierteljahre,vierteljahren', {
      label: 'quarter',
    }),
    [{ unit: 'half' }, 'halbjahr,halbjahre,halbjahren,halbjahres,halbjahrs,hälfte,jahreshälfte,semester'],
    [{ label: 'half', weak: true }, 'h'],
    ...noun('year', 'jahr,jahres,jahrs,kalenderjahr,kalenderjahres', 'jahre,jahren', { label: 'year' }),
    [{ span: ['year', 0] }, 'heuer'],
    [{ span: ['week', -1] }, 'vorwoche'],
    [{ span: ['week', 1] }, 'folgewoche'],
    [{ span: ['month', -1] }, 'vormonat,vormonats'],
    [{ span: ['month', 1] }, 'folgemonat,folgemonats'],
    [{ span: ['quarter', -1] }, 'vorquartal,vorquartals'],
    [{ span: ['year', -1] }, 'vorjahr,vorjahres'],
    [{ span: ['year', 1] }, 'folgejahr,folgejahres'],

    [{ rel: 0 }, 'dies,dies-,aktuell-,laufend-,jetzig-,gegenwärtig-,heurig-,der aktuellen,im laufenden'],
    [{ rel: -1 }, 'letzt-,vergangen-,vorig-,vorherig-,vorangegangen-,vorangehend-,verflossen-,zurückliegend-,vor-'],
    [{ rel: 1 }, 'nächst-,folgend-,darauffolgend-,nächstfolgend-,nachfolgend-'],
    [{ rel: 1, near: true }, 'kommend-,bevorstehend-,diesen kommenden,anstehend-'],
    [{ rel: -2 }, 'vorletzt-'],
    [{ rel: 2 }, 'übernächst-'],
    [{ rel: 2, post: true }, 'nach der nächsten,nach dem nächsten'],
    [{ rel: -2, post: true }, 'vor der letzten,vor dem letzten'],

    ...count('weekday', 1, WEEKDAYS),
    ...count(
      'weekday',
      1,
      'montage,montagen|dienstage,dienstagen|mittwoche,mittwochen|donnerstage,donnerstagen|freitage,freitagen|samstage,samstagen,sonnabende,sonnabenden|sonntage,sonntagen',
      { plural: true },
    ),
    ...count('weekday', 1, 'mo|di|mi|do|fr|sa|so', { weak: true }),
    ...PARTS.flatMap(([part, name]) => count('weekday', 1, WEEKDAYS.replace(/(?<=[a-z])(?=[|,]|$)/g, name), { part })),
    ...count('month', 1, 'januar,jänner|februar,feber,feb|märz,mrz,mär|april,apr|mai|juni,jun,juno|juli,jul'),
    [{ month: 1, weak: true }, 'jan'],
    ...count('month', 8, 'august,aug|september,sept,sep|oktober,okt|november,nov|dezember,dez'),

    [{ part: 'morning', hourly: true }, 'morgens,am morgen,in der früh'],
    [{ part: 'noonish' }, 'zu mittag,zum mittag'],
    [{ part: 'forenoon', hourly: true }, 'vormittags,am vormittag'],
    [{ part: 'afternoon', hourly: true }, 'nachmittags,am nachmittag'],
    [{ part: 'evening', hourly: true }, 'abends,am abend'],
    [{ part: 'night', hourly: true }, 'nachts,in der nacht'],
    [{ part: 'morning' }, 'früh,in der frühe'],
    [{ part: 'forenoon' }, 'vormittag'],
    [{ part: 'noonish' }, 'mittag,mittags,am mittag'],
    [{ part: 'afternoon' }, 'nachmittag'],
    [{ part: 'evening' }, 'abend'],
    [{ part: 'night' }, 'nacht'],
    [{ hour: 24 }, 'mitternacht,um mitternacht'],
    [{ at: true, skip: true }, 'um,gegen'],
    [{ oclock: true }, 'uhr,h'],
    [{ before: -30 }, 'halb'],
    [{ before: 15 }, 'viertel nach'],
    [{ before: -15 }, 'viertel vor,dreiviertel,drei viertel'],

    [{ lead: 1, prep: true, skip: true }, 'in'],
    [{ lead: -1, bound: 'before', off: -1, past: -1 }, 'vor'],
    [{ off: 1, bound: 'after', past: 1 }, 'nach'],
    [{ ago: -1 }, 'her'],
    [{ ago: 1 }, 'später'],
    [{ ago: 1, onset: true }, 'von jetzt an,ab jetzt,ab sofort'],
    [{ ago: 1, day: 0 }, 'ab heute,von heute an'],
    [{ bound: 'since' }, 'seit,seit dem,seit der'],
    [{ bound: 'onward' }, 'am oder nach'],
    [{ bound: 'until', to: true }, 'spätestens,am oder vor,bis,bis einschließlich'],
    [{ bound: 'onward', from: true }, 'ab,ab dem,ab der'],
    [{ onward: true }, 'an'],
    [{ from: true, of: true }, 'von,vom'],
    [{ between: true }, 'zwischen'],
    [{ and: true }, 'und'],
    [{ or: true }, 'oder'],
    [{ of: true, skip: true }, 'des,der,dem,vom'],
    [{ skip: true, dayMark: 'ordinal' }, 'den,der,dem,zum'],
    [{ skip: true, prep: true, dayMark: 'ordinal' }, 'am'],
    [{ skip: true, prep: true }, 'im,für,während,an,ins,beim'],
    [{ skip: true }, 'die,das,ganz-,gesamt-'],
    [{ about: true }, 'so gegen,so um,so circa,so etwa,so ungefähr,circa,zirka,ca,etwa,ungefähr,rund,rund um,herum'],
    [{ skip: true }, 'genau'],
    [{ soFar: true }, 'bisher,bislang'],
    [{ soFar: true, asOf: true }, 'bis jetzt,bis heute,bis dato'],
    [{ toDate: 'year' }, 'seit jahresbeginn,seit jahresanfang'],
    [{ toDate: 'quarter' }, 'seit quartalsbeginn,seit quartalsanfang'],
    [{ toDate: 'month' }, 'seit monatsbeginn,seit monatsanfang'],
    [{ toDate: 'week' }, 'seit wochenbeginn,seit wochenanfang'],
    [{ edge: 'start' }, 'anfang,beginn'],
    [{ edge: 'end' }, 'ende,schluss'],
    [{ rest: true }, 'rest,restlich-,übrig-,später'],
    [{ earlier: true }, 'früher'],
    [{ each: true }, 'jed-,pro,je,all-,sämtlich-'],
    [
      { vague: true },
      'ausschließlich,exklusive,exkl,mitte,spät,spät-,früh-,ab,innerhalb,binnen,oster,orthodox-,still-,heilig-,als,mindestens,höchstens,selben zeit,gleichen zeit,statt,anstatt,anstelle von,ausgenommen,abgesehen von,alles bis auf,nicht vor,nicht nach,werktags,gleicher zeitraum,gleichen zeitraums,selber zeitraum,um diese zeit,um dieselbe zeit,nacht auf,nacht zum,in der nacht auf,in der nacht zum,in der nacht zu,fast,knapp,beinahe,nahezu,früheste-,irgendwann,herr,herrn,frau,familie',
    ],
    [{ rel: 0, same: 'unit' }, 'selb-,gleich-,derselbe,dieselbe,dasselbe,derselben,desselben,demselben'],
    [{ same: 'period' }, 'selben zeitraum,gleichen zeitraum,derselbe zeitraum'],
    [{ lastYears: 'period' }, 'vorjahreszeitraum,vorjahreszeitraums,vorjahresperiode'],
    [{ lastYears: 'quarter' }, 'vorjahresquartal,vorjahresquartals'],
    [{ lastYears: 'month' }, 'vorjahresmonat,vorjahresmonats'],
    [{ lastYears: 'week' }, 'vorjahreswoche'],
    [{ full: true }, 'voll-,ganz-,vollständig-'],
    [
      { sum: true },
      'prozent,euro,euros,dollar,franken,personen,leute,gäste,millionen,mio,milliarden,grad,kilometer,km,kilo,kg,meter,prozentpunkte',
    ],
    [{ thing: true }, 'bestellungen,rechnungen,kunden,stück,punkte,seiten,mails,anrufe,termine,tickets,plätze,teilnehmer,mal'],
    [{ spoils: true }, 'um diese zeit,um dieselbe zeit'],
    // A greeting is no time.
    [{}, 'guten morgen,guten abend,gute nacht,guten tag,schönen abend,schönen morgen'],
    [
      { spell: true },
      'nächte,nächten,abende,abenden,vormittage,nachmittage,wochentage,wochentagen,wochentags,geschäftszeiten,arbeitszeiten,öffnungszeiten',
    ],
    [{ inclusive: true, vague: true }, 'einschließlich,inklusive,inkl'],
    [{ share: true }, 'größter teil,größte teil,großteil,ein teil,teil,teile,überwiegend'],
    [
      { unclocked: true },
      'mittagessen,mittagszeit,mittagspause,frühstück,abendessen,sonnenaufgang,sonnenuntergang,morgengrauen,feierabend,dämmerung,essen',
    ],
    [{ age: 'more', ageAlone: true }, 'älter als'],
    [{ old: true }, 'alt'],
    [{ age: 'more' }, 'mehr als,über,länger als,mindestens'],
    [{ age: 'less', ageAlone: true }, 'jünger als,neuer als'],
    [{ age: 'less' }, 'weniger als,höchstens,maximal'],
    [{ age: 'within' }, 'innerhalb von,innerhalb,binnen'],
    [{ bound: 'onward' }, 'frühestens,frühestens am,nicht vor,nicht vor dem'],
    [{ third: 'mid' }, 'mitte'],
    [
      { workday: true },
      'werktag,werktage,werktagen,werktages,arbeitstag,arbeitstage,arbeitstagen,arbeitstages,geschäftstag,geschäftstage,geschäftstagen',
    ],
    [{ fiscal: 'end' }, 'geschäftsjahr,geschäftsjahrs,geschäftsjahres,wirtschaftsjahr,fiskaljahr,gj'],
    [
      { feast: true, vague: true },
      'weihnachten,ostern,pfingsten,silvester,neujahr,heiligabend,karfreitag,gründonnerstag,ostermontag,ostersonntag,pfingstmontag,rosenmontag,himmelfahrt,fronleichnam',
    ],
    [
      { compares: 'with' },
      'vs,versus,gegenüber,verglichen mit,relativ zu,relativ zum,im vergleich zu,im vergleich zur,im vergleich zum,im vergleich mit,im gegensatz zu,im gegensatz zur,im gegensatz zum',
    ],
    [{ alters: 'touching' }, 'kein-'],
    [{ compares: true }, 'vergleiche,vergleich,vergleichen,unterschied,verschieb-,verschieben,verlege,verlegen'],
    [{ excludes: true }, 'außer denen,ignoriere,ignorieren,exkludiere'],
    [{ vague: true, excludes: 'article' }, 'ohne,außer,nicht'],
    [{ excludes: 'behind' }, 'ausschließen,ausgeschlossen'],
    [
      { alters: true },
      'ignorieren,weglassen,auslassen,mehr als,weniger als,so viel wie,so viele wie,vielleicht,vermutlich,wahrscheinlich,womöglich,weder,kaum,nie,niemals,vorabend,spätestens,frühestens,minus,plus,drittel,viertel,später,eher,anders als',
    ],
    [{ vague: true, alters: true }, pairs('kurz,lange,bald,gleich,direkt,unmittelbar,knapp,weit', 'vor,nach')],
    [{}, 'morgen allerseits,morgen zusammen,schnee von gestern,auf die letzte minute,in letzter minute,in letzter sekunde'],
  ],
});
