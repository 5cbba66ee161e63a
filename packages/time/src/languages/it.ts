import { count, noun, pairs, type Beside, type Grammar, type Tense, type Row } from '../parse/word.js';
import { COMMON } from './common.js';

const ONES = 'uno due tre quattro cinque sei sette otto nove'.split(' ');
/** Ventuno, ventidue, ventotto: the vowel goes before a vowel. */
const tens = (value: number, name: string): Row[] =>
  ONES.map((one, index): Row => [{ num: value + index + 1 }, (/^[uo]/.test(one) ? name.slice(0, -1) : name) + one]);

const TENSE: Tense = {
  past: String.raw`er[aio](?:no|vamo|vate)?|venner?o?|disser?o?|aveva(?:no)?|fu|furono|fece|(?:h[ao]|hanno|hai|abbiamo|avete|è|sono|siamo|c['’]è)(?: \p{L}+){0,2} (?:\p{L}+[aui]t[oaie]|\p{L}*(?:fatt|pres|mess|dett|vist|scritt|chius|apert|pers|vint|spes|lett|chiest|rispost|emess|conclus|decis|success|rott|corrett|ridott|prodott|cors|mors|pars|sces|mort|rimast|scelt)[oaie])|\p{L}{2,}(?:[aei]va(?:no|mo)?|[aie]rono|[^i\P{L}][ae]vo)|(?:spedit|vendut|consegnat|pagat|ricevut|creat|chius|effettuat|inviat|ordinat|emess|comprat|acquistat|registrat|annullat|completat|fatt|pres|pers|apert|firmat|fatturat|risolt|iscritt|aggiunt|raccolt|richiest|svolt|trasmess|assunt)[oaie]|(?<=\p{L}{4,}[iaeo] )\p{L}{3,}[aui]t[iaeo]|\p{L}{3,}ò`,
  future: String.raw`\p{L}{2,}(?:rà|ranno|rò|remo|rete)|previst[oaie]|programmat[oaie]|pianificat[oaie]|scade|scadono|ricordami|prenota|prenotare|in arrivo`,
  neither: String.raw`volev[oa]|bravo|(?:vendi|entra|usci|visi|parti|giorna|sera|telefona|chiama)t[ae]|(?:risulta|merca|minu|saba|candida|impiega|credi|compi|requisi|contribu)t[oi]|limite|stato de|(?:è|sono) (?:apert|chius|occupat|impegnat)[oaie]|(?:ri|pre|sol)?leva|deriva|trova|però|può|ciò|nuov[ao]|attiv[ao]|arriva|prova`,
};

const BESIDE: Beside = {
  plural: String.raw`(?:gli|i|le) \p{L}+`,
  asks: `cosa che quale quali chi quanto quanta quanti quante come quando dove perché è sono era ha hanno ho abbiamo avete aveva fu
va vanno mostra- dammi dai elenca- cerca- trova- invia- manda- ricorda- chiama- prenota- pianifica- puoi può
potresti voglio vorrei io mi me noi ci tu ti lui lei loro si lo il la i gli le mio mia miei mie nostro nostra nostri nostre tuo tua tuoi
suo sua suoi per favore confronta- calcola- riassumi- fammi stato stata stati state `,
  places: 'in nel nella nei negli nelle a al alla su sul sulla',
  prepositions: `a al alla allo all alle ai in nel nella verso prima dopo su sul sulla entro fra tra negli nei nelle agli dal dalla`,
  neutral: `error- session- foto- newsletter programma o ma tutto tutti tutta tutte solo soltanto anche ancora già qui con senza di da un uno una non niente nulla nessuno
molto molti grazie ciao secondo vendit- vendut- ricav- incass- fattur- ordin- client- utent- iscri- appuntament- riunion- chiamat-
telefonat- rapport- cifr- numer- risultat- dat- metric- bug- guast- alert consegn- spedi- res- rimbors- pagament- pagat- bonific- spes-
cost- util- profitt- margin- stipend- affitt- tass- magazzin- scort- prodott- articol- prezz- progett- attività compit- dipendent-
squadr- uffici- negozi- sito pagin- visit- clic installazion- disdett- prenotazion- viagg- vol- event- cors- formazion- conferenz-
rilasc- version- aggiornament- messagg- file contratt- offert- preventiv- meteo temperatur- consum- prestazion- sondagg- reclam-
recension- crescit- cal- aument- riepilog- riassunt- bilanci- statistic- analis- traffic- campagn- abbonament- carrell- transazion-
access- arrivat- caduto ricevut- creat- firmat- annullat- apert- chius- medico dentista fest- lezion- esam- partit- pacc- accaduto
successo scad- candidatur-`,
};

/** Italian. */
export const italian = (): Grammar => ({
  tense: TENSE,
  beside: BESIDE,
  endings: 'o a i e',
  rows: [
    ...COMMON,
    [{ day: 0 }, 'oggi,odierno,in giornata,quest oggi'],
    [{ day: 1 }, 'domani'],
    [{ day: 1, follows: true }, 'indomani,giorno dopo,giorno seguente'],
    [{ day: -1 }, 'ieri'],
    [{ day: -1, follows: true }, 'giorno prima,giorno precedente'],
    [{ day: 2 }, 'dopodomani,dopo domani,posdomani,giorno dopo domani'],
    [{ day: -2 }, "altro ieri,l'altro ieri,avantieri,ieri l'altro,altroieri,l'altroieri"],
    [{ day: 0, part: 'evening' }, 'stasera'],
    [{ day: 0, part: 'morning' }, 'stamattina,stamani,stamane'],
    [{ day: 0, part: 'night' }, 'stanotte'],
    [{ day: 1, part: 'morning' }, 'domattina'],
    [{ now: true }, 'adesso,ora,subito,in questo momento,immediatamente'],

    ...count('num', 2, 'due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|tredici|quattordici|quindici|sedici'),
    ...count('num', 17, 'diciassette|diciotto|diciannove|venti'),
    [{ num: 0 }, 'zero'],
    [{ num: 30 }, 'trenta'],
    [{ num: 40 }, 'quaranta'],
    [{ num: 50 }, 'cinquanta'],
    [{ num: 60 }, 'sessanta'],
    [{ num: 90 }, 'novanta'],
    [{ num: 100 }, 'cento'],
    [{ num: 1000 }, 'mille,mila,duemila'],
    ...tens(20, 'venti'),
    ...tens(30, 'trenta'),
    [{ num: 1, article: true, skip: true }, 'un,una'],
    [{ num: 1 }, 'uno'],
    [{ num: 2 }, 'un paio di'],
    [{ num: 0.5 }, 'mezz,mezza'],
    ...count('ord', 1, 'prim-|second-|terz-|quart-|quint-|sest-|settim-|ottav-|non-|decim-'),
    [{ ordSuffix: true }, 'o,a,mo'],

    ...noun('second', 'secondo,sec', 'secondi'),
    ...noun('minute', 'minuto,min', 'minuti'),
    ...noun('hour', 'ora,h', 'ore'),
    [{ oclock: true }, 'h'],
    ...noun('day', 'giorno', 'giorni', { dayMark: 'any' }),
    ...noun('week', 'settimana', 'settimane', { label: 'week' }),
    [{ unit: 'weekend' }, 'fine settimana,finesettimana,weekend,week end,we'],
    [{ unit: 'weekend', span: ['weekend', 0] }, 'nel fine settimana,nel weekend,nel week end,il fine settimana,il weekend,il week end'],
    ...noun('month', 'mese', 'mesi'),
    ...noun('quarter', 'trimestre', 'trimestri', { label: 'quarter' }),
    [{ label: 'quarter', weak: true }, 't'],
    ...noun('half', 'semestre,metà', 'semestri', { label: 'half' }),
    ...noun('year', 'anno', 'anni', { label: 'year' }),

    [{ rel: 0 }, 'quest,quest-,codest-,questo stesso'],
    [{ rel: 0, post: true, pre: true }, 'attuale,presente'],
    [{ rel: 0, post: true }, 'corrente,in corso'],
    [{ rel: -1, post: true, pre: true }, 'scors-,ultim-,passat-,precedente,precedenti'],
    [{ rel: -1, post: true }, 'prima,appena passat-'],
    [{ rel: 1, post: true, pre: true }, 'prossim-'],
    [{ rel: 1, post: true, pre: true, follows: true }, 'seguente,seguenti'],
    [{ rel: 1, post: true, follows: true }, 'successiv-'],
    [{ rel: 1, post: true }, 'ventur-,entrante,che viene,che vengono,dopo,a venire'],
    [{ rel: 1, near: true }, 'questo prossimo,questa prossima'],
    [{ rel: -2, post: true, pre: true }, 'penultim-'],
    [{ rel: -2, post: true }, "prima della scorsa,prima dello scorso,prima dell'ultima,prima dell'ultimo"],
    [{ rel: 2, post: true }, 'dopo la prossima,dopo il prossimo,dopo prossim-'],
    [{ rel: -1, window: true }, "nell'ultima,nell'ultimo,durante l'ultima,durante l'ultimo,nel corso dell'ultima,nel corso dell'ultimo"],

    ...count('weekday', 1, 'lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica'),
    [{ weekday: 6, plural: true }, 'sabati'],
    [{ weekday: 7, plural: true }, 'domeniche'],
    ...count('weekday', 1, 'lun|mar|mer|gio|ven|sab|dom', { weak: true }),
    ...count('month', 1, 'gennaio,gen,genn|febbraio,feb,febbr|marzo|aprile,apr|maggio,mag,magg|giugno,giu|luglio,lug|agosto,ago'),
    ...count('month', 9, 'settembre,sett,set|ottobre,ott|novembre,nov|dicembre,dic'),
    [{ month: 3, weak: true }, 'mar'],

    [{ part: 'morning', hourly: true }, 'del mattino,di mattina,della mattina'],
    [{ part: 'afternoon', hourly: true }, 'del pomeriggio,di pomeriggio'],
    [{ part: 'evening', hourly: true }, 'di sera,della sera'],
    [{ part: 'night', hourly: true }, 'di notte'],
    [{ part: 'morning' }, 'mattina,mattino,mattinata,in mattinata,al mattino,di mattino'],
    [{ part: 'afternoon' }, 'pomeriggio,nel pomeriggio'],
    [{ part: 'evening' }, 'sera,serata,in serata'],
    [{ part: 'night' }, 'notte,della notte'],
    [{ hour: 12 }, 'mezzogiorno,a mezzogiorno'],
    [{ hour: 24 }, 'mezzanotte,a mezzanotte'],
    [{ at: true, to: true }, 'alle,alle ore,alla'],
    [{ at: true }, 'verso le,per le,ore'],
    [{ meridiem: 'am' }, 'am'],
    [{ behind: 30 }, 'e mezza,e mezzo,e trenta'],
    [{ behind: 15 }, 'e un quarto,e quarto'],
    [{ behind: -15 }, 'meno un quarto,meno quarto'],

    [{ lead: 1, between: true }, 'tra,fra'],
    [{ ago: -1 }, 'fa,or sono,addietro'],
    [{ ago: 1, onset: true }, 'da adesso,da ora,a partire da ora'],
    [{ ago: 1, day: 0 }, 'a partire da oggi,da oggi in poi'],
    [{ off: 1, bound: 'after' }, 'dopo'],
    [{ off: 1 }, 'a partire da'],
    [{ off: -1, bound: 'before' }, 'anteriori al,prima di,prima del,prima della,prima dell'],
    [{ bound: 'either', from: true }, 'da,dal,dalla,dallo,dall,dai'],
    [{ bound: 'since', from: true, at: true }, 'dalle'],
    [{ onward: true }, 'in poi'],
    [{ bound: 'onward', from: true }, 'a partire da,a partire dal,a partire dalla,a partire dalle,a partire dall'],
    [{ bound: 'until' }, 'non oltre,al più tardi,entro e non oltre'],
    [{ bound: 'until', to: true }, 'fino a,fino al,fino alla,fino alle,fino allo,fino ad,sino al,sino a,entro,entro il'],
    [{ to: true }, 'a,ad,ai'],
    [{ to: true, dayMark: 'any' }, 'al'],
    [{ and: true }, 'e,ed'],
    [{ or: true }, 'o,od,oppure'],
    [{ of: true }, 'di,d,dell,dello,della,dei,delle'],
    [{ of: true, dayMark: 'any' }, 'del'],
    [{ skip: true, dayMark: 'any', recurs: true }, 'il'],
    [{ skip: true, prep: true }, 'in,nel,nella,nell,nei,nelle,per,durante,su'],
    [{ skip: true }, 'lo,l,i,gli,le,tutto,tutta'],
    [{ skip: true, recurs: true }, 'la'],
    [{ about: true }, 'circa,all incirca,più o meno,attorno,intorno'],
    [{ skip: true }, 'esattamente'],
    [{ soFar: true, asOf: true }, 'finora,fino ad ora,fino ad oggi,fino a oggi,sinora,ad oggi,a oggi'],
    [{ toDate: 'year' }, "da inizio anno,progressivo dell'anno,progressivo annuo"],
    [{ toDate: 'month' }, 'da inizio mese,progressivo del mese'],
    [{ edge: 'start' }, "inizio,l'inizio,principio"],
    [{ edge: 'end' }, 'fine,la fine'],
    [{ rest: true }, 'resto,più tardi'],
    [{ each: true }, 'ogni,ciascun-,al giorno,al mese,tutti i,tutte le'],
    [
      { vague: true },
      'non era,escluso,esclusa,metà,tardo,tarda,prima parte,santo,santa,che,più di,meno di,almeno,al massimo,non prima di,non prima del,non dopo,a parte,ad eccezione di,ad eccezione del,invece di,invece del,invece della,al posto di,al posto del,al posto della,più tardi,quasi,signor,signora,quadrimestre,bimestre',
    ],
    [{ spoils: true }, "santo,santa,nero,lavorativo,lavorativi,feriale,feriali,fiscale,dell'angelo,grasso"],
    [{ sum: true }, 'per cento,percento,euro,dollari,persone,ospiti,milioni,km,chilometri,chili,kg,metri,gradi'],
    [{ thing: true }, 'clienti,ordini,fatture,punti,pagine,mail,messaggi,chiamate,riunioni,volte,articoli,pezzi,unità,negozi,posti'],
    [{ spoils: 'unit' }, "esercizio,dell'esercizio"],
    // A greeting is no time.
    [{}, 'dall oggi al domani,buona sera,buonasera,buona notte,buonanotte,buona giornata,buona serata,buon pomeriggio'],
    [{ spell: true }, 'notti,sere,mattine,pomeriggi'],
    [{ inclusive: true, vague: true }, 'incluso,inclusa,compreso,compresa,inclusi,compresi'],
    [{ share: true }, 'parte,gran parte,maggior parte'],
    [
      { unclocked: true },
      'prima mattinata,tarda mattinata,primo pomeriggio,tardo pomeriggio,prima serata,tarda serata,alba,tramonto,pranzo,cena,colazione,merenda,ora di pranzo',
    ],
    [{ age: 'more', ageAlone: true }, 'vecchi di oltre,vecchie di oltre,vecchi di più di,più vecchio di,più vecchi di,più vecchie di'],
    [{ age: 'more' }, 'più di,oltre,almeno'],
    [{ age: 'less', ageAlone: true }, 'più recente di,più recenti di'],
    [{ age: 'less' }, 'meno di,al massimo'],
    [{ age: 'within' }, 'entro'],
    [{ bound: 'onward' }, 'non prima di,non prima del'],
    [{ third: 'mid' }, 'metà'],
    [{ workday: true }, 'giorno lavorativo,giorni lavorativi,giorno feriale,giorni feriali'],
    [{ fiscal: 'end' }, 'anno fiscale,esercizio fiscale'],
    [{ feast: true, vague: true }, 'natale,pasqua,pasquetta,ferragosto,capodanno,epifania'],
    [{ compares: 'with' }, 'vs,versus,meglio,peggio,rispetto,in confronto,paragonato,contro,a differenza,al contrario'],
    [{ compares: true }, 'confronta,confrontare,confronto,differenza,sposta,spostare,rinvia,rinviare,posticipa,anticipa'],
    [{ excludes: true }, 'tranne quelli,tranne quelle,escludi,escludere,escludendo,ignora,ignorare'],
    [{ vague: true, excludes: 'article' }, 'tranne,eccetto,senza,salvo,non'],
    [
      { alters: true },
      'forse,probabilmente,a cavallo,né,un terzo di,un terzo del,un terzo della,un terzo dell,un quarto di,un quarto del,un quarto della,un quarto dell,un giorno sì e uno no,mai,vigilia,al più presto,al più tardi,meno,più,terzo',
    ],
    [{ vague: true, alters: true }, pairs('poco,subito,molto,appena', 'prima,dopo')],
    [{ rel: 0, same: 'unit' }, 'stess-,lo stess-,la stessa'],
    [{ same: 'period' }, 'stesso periodo,lo stesso periodo'],
    [{ full: true }, 'complet-,interi,intere'],
  ],
});
