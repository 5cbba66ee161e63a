import { count, noun, pairs, type Beside, type Grammar, type Tense, type Part, type Row } from '../parse/word.js';
import { COMMON } from './common.js';

const ONES = 'een twee drie vier vijf zes zeven acht negen'.split(' ');
const tens = (value: number, name: string): Row[] => ONES.map((one, index): Row => [{ num: value + index + 1 }, `${one}en${name}`]);

const WEEKDAYS = 'maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag';
const PARTS: readonly (readonly [Part, string])[] = [
  ['morning', 'ochtend'],
  ['morning', 'morgen'],
  ['forenoon', 'voormiddag'],
  ['afternoon', 'middag'],
  ['afternoon', 'namiddag'],
  ['evening', 'avond'],
  ['night', 'nacht'],
];

const TENSE: Tense = {
  past: String.raw`(?:lag|was|wer|ging|kwam|kreeg|gaf|liep|viel|zag|schreef|stond|sprak|nam|hield|begon|vond|bracht)(?:d?en)?|ble(?:ef|ven)|waren|werd|ha(?:d|dden)|kregen|dee?d(?:en)?|las|zei(?:den)?|kon(?:den)?|stierf|reed|dronk|ontbrak|(?:ver|ont)?liet(?:en)?|gaven|liepen|zagen|schreven|namen|won(?:nen)?|koos|kozen|sloot|begonnen|ste(?:eg|gen)|daalden?|verlo(?:or|ren)|(?:op|aan|af|uit|in|mee|toe|terug|om|over)?ge\p{L}{2,}(?:d|t|en)|(?:heeft|heb(?:ben|t)?|is|zijn|ben) .*(?:be|ver|ont|her)\p{L}{2,}(?:d|t|en)|verzonden|verkocht|besteld|betaald|ontvangen|verstuurd|bezorgd|vertrokken|\p{L}{2,}eerd|(?:regen|open|reken|teken|leen|dien|ken|bevestig|eindig|weiger|verhoog|verlaag)den?|\p{L}{2,}(?:dde|aaide|ooide|fde|oude)|\p{L}+(?:[kptfsx]|ch|sh)ten|\p{L}+(?:ch|[akpfsx]|sh)te|\p{L}+(?:el|er|ur|al)den?`,
  future: String.raw`zal|zullen|gaat|gaan|wordt|worden|geplande?|verwachte?|gereserveerd|herinner|herinneren|plan|plannen|reserveer|reserveren|boek|boeken|vervalt|vervallen|aanstaande`,
  neither: String.raw`gebeur(?:t|en)|gelooft|ge(?:niet|bruik|bied|meente)\p{L}*|ge(?:eft|ven|woon|sloten|opend|zicht|wicht|luid|gevens|leden|lden|zien)|(?:wach|tes|pos|star|ach|rus|kos)ten|producten|projecten|contacten|(?:eer|bes|laat|mees|hoog)ste|beste|(?:der|vier)de|bericht|bestand|gemiddelde|bepaalde|sterkte|beide|overzicht`,
};

const BESIDE: Beside = {
  asks: `wat welke welk wie hoe hoeveel wanneer waar waarom was waren is zijn heeft hebben heb had wordt worden werd zal zullen kan
kunnen kun moet moeten wil willen graag toon laat geef lijst zoek vind haal bel stuur mail herinner boek plan maak ik mij me wij we ons
jij je u jullie zij ze hij het mijn onze jouw uw hun haar ging kwam steeg daalde er gebeurde bereken vergelijk`,
  places: 'in op bij voor',
  prepositions: 'bij om op in rond tegen voor na tijdens vlak',
  neutral: `foto- afwezig aanwezig ziek beschikbaar bereikbaar en of maar dat alle alles alleen ook nog al weer hier per met zonder van naar
uit te tot de een iemand niemand niets iets veel niet geen dank hallo verkoop- verkocht- omzet- inkomst- bestel- order- factu- klant-
aanmeld- afspra- vergader- overleg- gesprek- telefoon- rapport- cijfer- getal- resulta- gegeven- data fout- storing- uitval- lever-
verzend- verzond- zending- retour- betaling- betaald- kosten- uitgave- winst- marge- loon- salaris- huur- belasting-
voorraad- product- artikel- prijs- prijzen project- medewerker- kantoor- winkel- website- pagina- bezoek- klik- sessie- installatie-
opzegging- reservering- boeking- reis- reizen vlucht- evenement- training- conferentie- back-up update- bericht- bestand- contract-
offerte- temperatu- verbruik- gebruik- prestatie- enquête- klacht- beoordeling- groei daling- stijging- overzicht- samenvatting-
statistiek- analyse- verkeer campagne- nieuwsbrief- abonne- transactie- ingelogd aangekomen gemaakt gesloten geopend ontvangen dokter
tandarts feest- les examen- wedstrijd- pakket- pakje- verstuurd geannuleerd verkop- live weg vrij klaar thuis goed overuren agenda-
sollicitat-`,
};

/** Dutch. */
export const dutch = (): Grammar => ({
  tense: TENSE,
  beside: BESIDE,
  endings: ' e',
  rows: [
    ...COMMON,
    [{ day: 0 }, 'vandaag,heden'],
    [{ day: 1, orPart: 'morning' }, 'morgen'],
    [{ day: -1 }, 'gisteren,gister'],
    [{ day: 2 }, 'overmorgen,dag na morgen'],
    [{ day: -2 }, 'eergisteren,eergister,dag voor gisteren'],
    [{ now: true }, 'nu,op dit moment,momenteel'],
    ...PARTS.flatMap(([part, name]): Row[] => [
      [{ day: 0, part }, `van${name}`],
      [{ day: -1, part }, `gister${name}, gisteren${name}`],
      [{ day: 1, part }, `morgen${name}`],
      [{ part }, `in de ${name}, 's ${name}s,${name}s${name === 'morgen' ? '' : `, ${name}`}`],
      ...count('weekday', 1, WEEKDAYS.replace(/g\b/g, `g${name}`), { part }),
    ]),

    ...count('num', 0, 'nul|één|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf|dertien|veertien|vijftien'),
    ...count('num', 16, 'zestien|zeventien|achttien|negentien|twintig'),
    [{ num: 30 }, 'dertig'],
    [{ num: 40 }, 'veertig'],
    [{ num: 60 }, 'zestig'],
    [{ num: 90 }, 'negentig'],
    [{ num: 100 }, 'honderd'],
    [{ num: 1000 }, 'duizend'],
    ...tens(20, 'twintig'),
    ...tens(30, 'dertig'),
    [{ num: 1, article: true, skip: true }, 'een'],
    [{ num: 2 }, 'een paar,paar'],
    [{ num: 0.5 }, 'een half,half'],
    ...count('ord', 1, 'eerste|tweede|derde|vierde|vijfde|zesde|zevende|achtste|negende|tiende|elfde|twaalfde'),
    [{ ordSuffix: true }, 'e,de,ste'],

    ...noun('second', 'seconde,sec', 'seconden,secondes'),
    ...noun('minute', 'minuut,min', 'minuten'),
    ...noun('hour', 'uur,h', 'uren', { oclock: true }),
    ...noun('day', 'dag', 'dagen'),
    ...noun('week', 'week', 'weken', { label: 'week' }),
    [{ unit: 'weekend' }, 'weekend,weekenden,weekends,weekeinde,week end'],
    [{ unit: 'weekend', span: ['weekend', 0] }, 'in het weekend,het weekend,in het weekeinde,het weekeinde'],
    ...noun('month', 'maand', 'maanden'),
    ...noun('quarter', 'kwartaal', 'kwartalen', { label: 'quarter' }),
    [{ unit: 'half' }, 'halfjaar,half jaar,semester,helft'],
    ...noun('year', 'jaar,kalenderjaar', 'jaren', { label: 'year' }),

    [{ rel: 0 }, 'deze,dit,huidig-,lopend-'],
    [{ rel: -1 }, 'vorig-,afgelopen,laatst-,voorbij-,verleden,voorgaand-'],
    [{ rel: 1 }, 'volgend-,eropvolgend-,opvolgend-'],
    [{ rel: 1, near: true }, 'komend-,aankomend-,aanstaand-,eerstvolgend-,deze komende'],
    [{ rel: 1, near: true, post: true, pre: true }, 'aanstaande'],
    [{ rel: -1, post: true }, 'jongstleden,ervoor,daarvoor'],
    [{ rel: 1, post: true }, 'erna,hierna,daarna'],
    [{ rel: -2 }, 'voorlaatst-,eervorig-'],
    [{ rel: 2, post: true }, 'na de volgende,na het volgende,na volgende'],
    [{ rel: -2, post: true }, 'voor de vorige,voor het vorige,voor vorige'],
    [{ rel: -1, window: true }, pairs('in de,in het,gedurende de,over de', 'afgelopen,laatste')],
    [{ rel: 1, window: true }, 'in de komende,in het komende,gedurende de komende'],

    ...count('weekday', 1, WEEKDAYS),
    ...count('weekday', 1, 'maandagen|dinsdagen|woensdagen|donderdagen|vrijdagen|zaterdagen|zondagen', { plural: true }),
    ...count('weekday', 1, 'ma,maa|di,din|wo,woe|do,don|vr,vrij|za,zat|zo,zon', { weak: true }),
    ...count('month', 1, 'januari|februari,feb|maart,mrt|april,apr|mei|juni,jun|juli,jul|augustus,aug|september,sept,sep'),
    [{ month: 1, weak: true }, 'jan'],
    ...count('month', 10, 'oktober,okt|november,nov|december,dec'),

    [{ part: 'morning', hourly: true }, "'s ochtends,'s morgens,in de ochtend"],
    [{ part: 'afternoon', hourly: true }, "'s middags,in de middag"],
    [{ part: 'evening', hourly: true }, "'s avonds,in de avond"],
    [{ part: 'night', hourly: true }, "'s nachts"],
    [{ hour: 24 }, 'middernacht'],
    [{ at: true }, 'om'],
    [{ at: true, skip: true }, 'rond,tegen'],
    [{ meridiem: 'am' }, 'am'],
    [{ before: -30 }, 'half'],
    [{ before: 15 }, 'kwart over'],
    [{ before: -15 }, 'kwart voor'],

    [{ lead: 1, past: 1 }, 'over'],
    [{ lead: 1, prep: true, skip: true }, 'in'],
    [{ ago: -1 }, 'geleden,terug'],
    [{ ago: 1, onset: true }, 'vanaf nu'],
    [{ ago: 1 }, 'later'],
    [{ ago: 1, day: 0 }, 'vanaf vandaag'],
    [{ off: 1, bound: 'after' }, 'na'],
    [{ off: -1, bound: 'before', past: -1 }, 'vóór'],
    [{ bound: 'since' }, 'sinds,sedert'],
    [{ bound: 'until' }, 'uiterlijk,ten laatste'],
    [{ bound: 'until', to: true }, 'tot,tot en met,t m,tot aan,t em'],
    [{ onward: true }, 'af aan'],
    [{ bound: 'onward', from: true }, 'vanaf,met ingang van'],
    [{ from: true, of: true }, 'van'],
    [{ between: true }, 'tussen'],
    [{ and: true }, 'en'],
    [{ or: true }, 'of'],
    [{ skip: true, dayMark: 'ordinal' }, 'de,den'],
    [{ skip: true, prep: true }, 'op,gedurende,tijdens'],
    [{ skip: true }, 'het,hele,gehele'],
    [{ about: true }, 'ongeveer,circa,ca,zo n'],
    [{ skip: true }, 'precies'],
    [{ soFar: true, asOf: true }, 'tot nu toe,tot nu,tot vandaag,tot op heden,tot heden'],
    [{ toDate: 'year' }, 'sinds jaarbegin,jaar tot nu toe,dit jaar tot nu toe,dit jaar tot nu,lopende jaar tot nu toe'],
    [{ toDate: 'month' }, 'maand tot nu toe,deze maand tot nu toe,deze maand tot nu'],
    [{ edge: 'start' }, 'begin,het begin'],
    [{ edge: 'end' }, 'einde,eind,het einde'],
    [{ rest: true }, 'rest,later'],
    [{ earlier: true }, 'eerder'],
    [{ each: true }, 'elk-,ieder-,per,alle,om de,eender welk-,om het even welk-'],
    [
      { vague: true },
      'exclusief,excl,uitgezonderd,midden,vroeg,laat,binnen,goede,witte,dan,minstens,hoogstens,fiscaal,niet voor,niet na,met uitzondering van,in plaats van,afgezien van,medio,halverwege,later,de nacht van,nacht van,bijna,ruim,krap,vroegst,op zijn vroegst,ten vroegste,meneer,mevrouw,ooit',
    ],
    [{ sum: true }, 'procent,euro,dollar,mensen,personen,gasten,miljoen,km,kilometer,kilo,kg,meter,graden'],
    [{ thing: true }, 'klanten,bestellingen,facturen,punten,pagina s,mails,berichten,vergaderingen,keer,stuks,winkels,plaatsen'],
    [{ spoils: true }, 'fiscaal,van het boekjaar'],
    [{ vague: true, lone: true }, 'niet'],
    // A greeting is no time.
    [{}, 'goede morgen,goedemorgen,goede avond,goedenavond,goede middag,fijne avond,fijne dag,goede nacht'],
    [{ spell: true }, 'nachten,avonden,ochtenden,middagen,kantooruren,doordeweeks'],
    [{ inclusive: true, vague: true }, 'inclusief,incl'],
    [{ share: true }, 'deel,grootste deel,merendeel,gedeelte'],
    [{ unclocked: true }, 'lunchtijd,zonsopgang,zonsondergang,dageraad,schemering,etenstijd'],
    [{ unclocked: true, thing: true }, 'lunch,ontbijt,diner,avondeten,eten'],
    [{ age: 'more', ageAlone: true }, 'ouder dan'],
    [{ old: true }, 'oud'],
    [{ age: 'more' }, 'meer dan,ruim,langer dan,minstens'],
    [{ age: 'less', ageAlone: true }, 'jonger dan,nieuwer dan'],
    [{ age: 'less' }, 'minder dan,hoogstens,maximaal'],
    [{ age: 'within' }, 'binnen'],
    [{ bound: 'onward' }, 'op zijn vroegst,ten vroegste,niet voor'],
    [{ third: 'mid' }, 'midden,medio,half,halverwege'],
    [{ workday: true }, 'werkdag,werkdagen'],
    [{ fiscal: 'end' }, 'boekjaar,fiscaal jaar'],
    [{ feast: true, vague: true }, 'kerst,kerstmis,pasen,pinksteren,koningsdag,oudjaar,nieuwjaar,sinterklaas'],
    [{ compares: 'with' }, 'vs,versus,vergeleken met,in vergelijking met,tegenover,ten opzichte van,in tegenstelling,anders dan'],
    [{ compares: true }, 'vergelijk,vergelijken,verschil,verplaats,verplaatsen,verzet,verzetten,verschuif,verschuiven'],
    [{ excludes: true }, 'negeer,negeren'],
    [{ vague: true, excludes: 'article' }, 'behalve,zonder'],
    [{ excludes: 'article' }, 'niet'],
    [{ excludes: 'behind' }, 'uitsluiten,uitgezonderd'],
    [
      { alters: true },
      'meer dan,minder dan,evenveel als,misschien,waarschijnlijk,noch,om de dag,om de week,om de maand,op een na laatste,een kwart van,een derde van,ergens,nooit,vooravond,vroegst,op zijn vroegst,uiterlijk,min,plus,eerder,later,derde',
    ],
    [{ vague: true, alters: true }, pairs('vlak,kort,net,lang,direct,ver', 'voor,na')],
    [{ rel: 0, same: 'unit' }, 'dezelfde,hetzelfde,zelfde'],
    [{ same: 'period' }, 'dezelfde periode,zelfde periode'],
    [{ full: true }, 'volledig-,hele,volle'],
  ],
});
