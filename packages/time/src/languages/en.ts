import { count, noun, type Beside, type Grammar, type Tense } from '../parse/word.js';

/** Past tense and participle in one. */
const BOTH = 'paid|sold|sent|made|built|held|lost|left|found|kept|brought|met';
const DONE = 'written|taken|given|chosen|driven|spoken|broken|stolen|hidden|drawn';

const TENSE: Tense = {
  past: String.raw`was|were|did|didn['’]t|wasn['’]t|weren['’]t|had|hadn['’]t|been|went|came|got|bought|took|gave|said|told|ran|${BOTH}|fell|rose|grew|began|spent|won|wrote|saw|knew|broke|drove|flew|chose|became|spoke|shrank|sank|ate|slept|heard|stood|led|hit|cost us|happened|\p{L}{2,}(?:[^e\P{L}]|re|gre|fe)ed|${DONE}|forgotten|thrown|flown|beaten|begun|(?:ha[sd]|have|['’]ve) (?:\p{L}+ )?(?:${DONE}|seen|been|eaten|fallen|forgotten|known|grown|shown|thrown|flown|gone|done|risen)`,
  future: String.raw`will|shall|won['’]t|\p{L}+['’]ll|['’]ll|going to|gonna|upcoming|due|scheduled|planned|expected|booked for|reserved for|slated|remind me|schedule|reschedule|book|reserve|deadline|forecast`,
  neither: String.raw`(?:is|are|be|being|get|gets|getting) (?:${BOTH}|${DONE}|cut)|(?:is|are) (?:the|my|our|your|this|that) (?:\p{L}+ )?\p{L}+ed|(?:was|were) (?:due|scheduled|planned|expected)|need|needed|feed|speed|seed|breed|indeed|embed|exceed|proceed|succeed|agreed|united|limited|unlimited|hundred|kindred|sacred|based|related|detailed|(?:the|a|an|my|our|your|their|his|her|all|every|any|be|being|get|gets|getting) (?!scheduled|planned|expected)\p{L}+ed|(?:is|are|am|it['’]s|we['’]re|they['’]re) (?:\p{L}+ )?(?!scheduled|planned|expected)\p{L}+ed`,
};

const BESIDE: Beside = {
  asks: `what which who whom whose how when where why did do does doing was were is are am be been being has have had having will would can could
should shall might must show list give tell get got find see fetch pull display remind call email send book schedule plan let lets want
need like please i me we us you they them he him she it my our your their his her its im there didn don doesn won ll ve cancel move
postpone make create add set run check compare calculate count export download filter search look open query report happened meet`,
  places: 'in on at',
  prepositions: 'on at in into around before after near over through toward towards amid upon following',
  neutral: `error- session- and or but this these those all any anything something everything everyone nobody nothing much many some each only just even
also still already again here with without by per to from about via across because while as out up down off under both either thanks
thank sale- sold sell- order- invoice- invoic- meeting- meet- call- number- result- customer- client- user- signup- sign- issue- launch-
build- message- payment- pay- paid refund- return- purchas- subscri- lead- deal- event- appointment- flight- reservation- booking- party
trip- visit- task- shipment- deliver- ship- stock- product- item- unit- price- cost- spend- income- earning- tax- bill- transaction-
transfer- account- data- stat- view- page- website- online- store- shop- office- staff- employee- people- hire- hiring- project- standup-
review- demo- training- class- test- file- contract- offer- survey- case- request- change- commit- weather- news- performance- rate-
total- average- sum- amount- volume- value- growth- drop- dropped summar- overview- chart- region- cit- post- score- note- statement-
shipped arriv- happen- work- start- begin- finish- cancel- land- leav- left activit- crash- fail- went go goes going come came target-
pipeline- run running job- due doctor dentist consumption- orders p ad join ending for inclusive calendar- agenda-`,
};

/** English. */
export const english = (): Grammar => ({
  tense: TENSE,
  beside: BESIDE,
  rows: [
    [{ day: 0 }, 'today, todays, this day'],
    [{ day: 1 }, 'tomorrow, tmrw, tmr, tomorow, tomorrows'],
    [{ day: -1 }, 'yesterday, yesterdays, the previous day'],
    [{ day: 2 }, 'day after tomorrow, day after tmrw, day after tmr, overmorrow'],
    [{ day: -2 }, 'day before yesterday'],
    [{ day: 0, part: 'evening' }, 'tonight, tonite'],
    [{ now: true }, 'now, right now, just now, at the moment, at this moment'],

    ...count(
      'num',
      0,
      'zero | one | two | three | four | five | six | seven | eight | nine | ten | eleven | twelve | thirteen | fourteen | fifteen',
    ),
    ...count('num', 16, 'sixteen | seventeen | eighteen | nineteen | twenty'),
    [{ num: 30 }, 'thirty'],
    [{ num: 40 }, 'forty'],
    [{ num: 50 }, 'fifty'],
    [{ num: 60 }, 'sixty'],
    [{ num: 90 }, 'ninety'],
    [{ num: 100 }, 'hundred, a hundred, one hundred'],
    [{ num: 1000 }, 'thousand'],
    [{ num: 2 }, 'a couple, a couple of, couple, couple of'],
    [{ num: 0.5 }, 'half an, half a'],
    [{ num: 1, article: true, skip: true }, 'a, an'],
    ...count(
      'ord',
      1,
      'first | second | third | fourth | fifth | sixth | seventh | eighth | ninth | tenth | eleventh | twelfth | thirteenth',
    ),
    ...count('ord', 14, 'fourteenth | fifteenth | sixteenth | seventeenth | eighteenth | nineteenth | twentieth'),
    [{ ord: 30 }, 'thirtieth'],
    [{ ordSuffix: true }, 'st, nd, rd, th'],

    ...noun('second', 'second, sec', 'seconds, secs'),
    ...noun('minute', 'minute, min', 'minutes, mins'),
    ...noun('hour', 'hour, hr, h', 'hours, hrs'),
    [{ unit: 'minute', times: 30 }, 'half hour, half hours'],
    ...noun('day', 'day', 'days'),
    [{ unit: 'day', plural: true, weak: true }, 'd'],
    [{ unit: 'month', plural: true, weak: true }, 'mo, mos'],
    [{ unit: 'year', plural: true, weak: true }, 'y'],
    [{ unit: 'week', plural: true, weak: true }, 'w'],
    ...noun('week', 'week, wk', 'weeks, wks', { label: 'week' }),
    [{ unit: 'week', times: 2 }, 'fortnight, fortnights'],
    [{ unit: 'weekend' }, 'weekend, weekends, week end'],
    [{ unit: 'weekend', span: ['weekend', 0] }, 'the weekend, at the weekend, on the weekend, over the weekend, this weekend'],
    ...noun('month', 'month', 'months'),
    ...noun('quarter', 'quarter, qtr', 'quarters, qtrs', { label: 'quarter' }),
    [{ unit: 'half' }, 'half year, half years, half, semester'],
    ...noun('year', 'year, yr, calendar year', 'years, yrs', { label: 'year' }),
    [{ label: 'quarter', weak: true }, 'q'],
    [{ label: 'half', weak: true }, 'h'],
    [{ label: 'week', weak: true }, 'w, kw'],

    [{ rel: 0 }, 'this, current, curr, the current, that, this current, present'],
    [
      { rel: -1 },
      'last, last full, last complete, previous full, past, previous, prev, prior, preceding, trailing, rolling, this past, this last',
    ],
    [{ rel: 1 }, 'next, following, subsequent'],
    [{ rel: 1, near: true }, 'coming, upcoming, this coming, this upcoming, this next'],
    [{ rel: -2, post: true }, 'before last, before the last, before previous'],
    [{ rel: 2, post: true }, 'after next, after the next'],
    [{ rel: -1, window: true }, 'in the last, in the past, over the last, over the past, within the last, within the past'],
    [{ rel: -1, window: true }, 'during the last, during the past, for the past, for the last, in the previous, over the previous'],
    [
      { rel: 1, window: true },
      'in the next, over the next, within the next, during the next, in the coming, over the coming, for the next',
    ],

    ...count('weekday', 1, 'monday | tuesday | wednesday | thursday | friday | saturday | sunday'),
    ...count('weekday', 1, 'mondays | tuesdays | wednesdays | thursdays | fridays | saturdays | sundays', { plural: true }),
    ...count('weekday', 1, 'mon | tue, tues | wed, weds | thu, thur, thurs | fri | sat | sun', { weak: true }),
    ...count('month', 1, 'january, jan | february, feb | marches | april, apr | mays | june, jun | july, jul | aug | september, sept, sep'),
    ...count('month', 10, 'october, oct | november, nov | december'),
    [{ month: 8, small: true }, 'august'],
    [{ month: 12, small: true }, 'dec'],
    [{ month: 3, weak: true }, 'march, mar'],
    [{ month: 5, weak: true }, 'may'],

    [{ part: 'morning', hourly: true }, 'in the morning'],
    [{ part: 'afternoon', hourly: true }, 'in the afternoon'],
    [{ part: 'evening', hourly: true }, 'in the evening'],
    [{ part: 'night', hourly: true }, 'at night'],
    [{ part: 'morning' }, 'morning, in the morning'],
    [{ part: 'afternoon' }, 'afternoon, in the afternoon'],
    [{ part: 'evening' }, 'evening, in the evening'],
    [{ part: 'night' }, 'night, at night'],
    [{ hour: 12 }, 'noon, midday, at noon, at midday'],
    [{ hour: 24 }, 'midnight, at midnight'],
    [{ at: true }, 'at'],
    [{ behind: 0 }, 'o clock, oclock'],
    [{ oclock: true }, 'h'],
    [{ meridiem: 'am' }, 'am, a m'],
    [{ meridiem: 'pm' }, 'pm, p m'],
    [{ before: 30 }, 'half past'],
    [{ before: 15 }, 'quarter past, a quarter past, quarter after'],
    [{ before: -15 }, 'quarter to, a quarter to'],
    [{ past: 1 }, 'past'],

    [{ ago: -1 }, 'ago, back, earlier'],
    [{ ago: 1, onset: true }, 'from now'],
    [{ ago: 1 }, 'hence, later'],
    [{ lead: 1, prep: true }, 'in'],
    [{ off: 1 }, 'after, from'],
    [{ off: -1, bound: 'before' }, 'before, prior to'],
    [{ bound: 'after', off: 1 }, 'after'],
    [{ bound: 'since' }, 'since, ever since, starting from'],
    [{ bound: 'onward' }, 'as from, on or after, on or since'],
    [{ boundPost: 'onward' }, 'onward, onwards, and onward, and onwards'],
    [{ onward: true }, 'on'],
    [{ bound: 'until' }, 'until, till, up to, as of, through, up until, on or before, up to and including, until and including'],
    [{ bound: 'before' }, 'up to but not including, until but not including'],
    [{ bound: 'until', groups: true }, 'by'],
    [{ to: true }, 'to, until, till, through, thru, untill, up to'],
    [{ from: true, off: 1 }, 'from'],
    [{ between: true }, 'between'],
    [{ and: true }, 'and'],
    [{ or: true }, 'or'],
    [{ of: true }, 'of, s'],
    [{ skip: true, dayMark: 'ordinal' }, 'the'],
    [{ skip: true, prep: true }, 'on, for, during, within, over, throughout, all of, in all of'],
    [{ about: true }, 'about, around, approximately, roughly, exactly, precisely'],
    [{ skip: true }, 'whole, entire'],
    [{ soFar: true }, 'so far, to date, till date'],
    [{ soFar: true, asOf: true }, 'to now, until now, up to now, up to today, until today, till now, till today'],
    [{ twelve: true }, 'ttm, ltm, trailing twelve months, trailing 12 months'],
    [{ toDate: 'year' }, 'ytd, year to date'],
    [{ toDate: 'quarter' }, 'qtd, quarter to date'],
    [{ toDate: 'month' }, 'mtd, month to date'],
    [{ toDate: 'week' }, 'wtd, week to date'],
    [{ edge: 'start' }, 'start, beginning, the start, the beginning'],
    [{ edge: 'end' }, 'end, the end, close, the close'],
    [{ rest: true }, 'rest, the rest, remainder, the remainder'],
    [{ each: true }, 'every, each, per, any'],
    [
      { vague: true },
      'closest, nearest, early, earlier, late, later, new year, new years, mid, middle, beginning, about half, including, excluding, incl, excl, without, not, except, than, all but, at least, at most, everything but, anything but, any day but, nothing but, apart from, aside from, other than, ignore, ignoring, don t include, do not include, not including, instead of, rather than, bank holiday, eod, cob, second to last, next to last, this day in, week ending, week commencing, week beginning, month ending, year ending, this time last, this time next, same time last, same time next, but not, almost, nearly, barely, just over, just under, a little over, a bit over, little over, well over, at the latest, latest, by the latest, penultimate, every other, sometime, some time, mr, mrs, ms, dr, unless, first thing, last thing, bright and early, every day but, each day but, days but, day but',
    ],
    [{ rel: 0, same: 'unit' }, 'same, the same'],
    [{ same: 'period' }, 'same period, the same period, same timeframe, the same timeframe'],
    [{ full: true }, 'full, complete, calendar'],
    [{ spoils: 'unit' }, 'end'],
    [
      { sum: true },
      'percent, per cent, people, persons, guests, dollars, euros, pounds, bucks, usd, eur, gbp, km, miles, kg, degrees, million, millions, billion',
    ],
    [
      { thing: true },
      'orders, invoices, items, units, pieces, points, pages, files, emails, mails, messages, meetings, calls, tickets, customers, users, clients, stores, shops, times, teams, seats, rooms, participants, attendees, votes, copies, products',
    ],
    [{ spoils: true }, 'tax year, academic year, school year'],
    [
      { dated: true },
      'sales, revenue, revenues, report, reports, numbers, figures, results, budget, invoice, bookings, statement, payroll, payslip, rent, stats, performance, signups, churn, spend, spending, expenses, costs, profit, margin, traffic, shipments, deliveries, release, newsletter, campaign, meeting, totals, target, targets, quota, forecast, data',
    ],
    [{ top: true }, 'top, room, page, version, number, no'],
    [
      { spell: true },
      'mornings, afternoons, evenings, nights, weekdays, weeknights, weekends, business hours, office hours, working hours, peak hours, opening hours, mondays to fridays',
    ],
    [{ ish: true }, 'ish, noonish'],
    [{ share: true }, 'most of, part of, parts of, some of, much of, bulk of, majority of, better part of, portion of'],
    [{ spoils: true, vague: true }, 'plus, minus, this time'],
    [{ compares: true }, 'compare, comparing, comparison'],
    [
      { compares: 'with' },
      'vs, versus, against, compared to, compared with, relative to, as opposed to, contrary to, up from, down from, up over, down over, increase over, increase from, growth over, improvement on, improvement over, drop from, change from',
    ],
    [
      { unclocked: true },
      'first thing, last thing, lunchtime, dawn, dusk, sunrise, sunset, dinnertime, teatime, tea time, bedtime, daybreak, twilight, nightfall, sundown, sunup, crack of dawn, first light, cockcrow, daylight, gloaming, opening time, closing time, rush hour, happy hour',
    ],
    [{ unclocked: true, thing: true }, 'lunch, breakfast, dinner, supper, brunch'],
    [{ vague: true, spoils: true }, 'spring, summer, autumn, winter, fall'],
    // A greeting is no time.
    [{}, 'good morning, good afternoon, good evening, good night, the now, now and then, now that, now or never, present day'],
    [{ age: 'more', ageAlone: true }, 'older than'],
    [{ age: 'more' }, 'more than, over, longer than, at least'],
    [{ age: 'less', ageAlone: true }, 'newer than, younger than, more recent than'],
    [{ age: 'less' }, 'less than, under, up to, at most, no more than, not more than'],
    [{ age: 'within' }, 'within'],
    [{ bound: 'onward' }, 'starting, starting on, effective, effective from, not before, no earlier than, no sooner than'],
    [{ bound: 'until' }, 'no later than, not later than, at the latest by'],
    [{ third: 'early' }, 'early'],
    [{ third: 'mid' }, 'mid, middle of, the middle of, the middle'],
    [{ third: 'late' }, 'late'],
    [{ deadline: 'day' }, 'eod, end of day, end of the day, end of business, close of business, cob'],
    [{ deadline: 'week' }, 'eow'],
    [{ deadline: 'month' }, 'eom'],
    [{ deadline: 'quarter' }, 'eoq'],
    [{ deadline: 'year' }, 'eoy'],
    [{ earlier: true }, 'earlier'],
    [{ rest: true }, 'later'],
    [{ day: -1, part: 'night' }, 'overnight'],
    [{ workday: true }, 'business day, business days, working day, working days, workday, workdays, weekday'],
    [{ fiscal: 'end' }, 'fiscal year, financial year, fy, fiscal'],
    [
      { feast: true, vague: true },
      'christmas, christmas eve, christmas day, easter, easter sunday, easter monday, good friday, thanksgiving, new year s eve, new year s day, halloween, labor day, labour day, memorial day, independence day, boxing day, valentine s day, black friday, cyber monday, diwali, ramadan, hanukkah',
    ],
    [{ alters: 'touching' }, 'but, near, some, certain'],
    [
      { alters: true },
      'perhaps, maybe, probably, possibly, at the latest, at the earliest, never, the eve, eve, unlike, as late as, as early as, earliest, the earliest, latest, the latest, third, two thirds, a third, later, earlier, thirds, short of, shy of, excluded, included, year ended, quarter ended, month ended, week ended, neither, nor, hardly, scarcely, halfway, half way, but one, either side of, on either side of, beyond, outside, outside of, the opposite of, leading up to, leading to, containing, surrounding, save for, the other',
    ],
    [
      { vague: true, alters: true },
      'well before, well after, long before, long after, shortly before, shortly after, just before, just after, right before, right after, soon before, soon after, immediately before, immediately after, way before, way after',
    ],
  ],
});
