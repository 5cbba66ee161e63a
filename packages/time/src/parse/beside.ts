/**
 * The words beside a phrase belong to it or refuse it: "8 this evening", "nights last week", "tomorrow at lunch", "> yesterday". A word the
 * grammar knows as one about time must not be left over next to a phrase; a word it does not know may stand there, unless a word of time leads to it.
 */
import type { Fields } from '../fields.js';
import { DAY_MS } from '../zone.js';
import type { Word } from './lexicon.js';
import { isSeparator } from './dates.js';
import { readMoment } from './moment.js';
import { isName } from './names.js';
import type { Found } from './outcome.js';
import { blames, isCount, isSum, isUnknown, itemAt, markAt, wordAt, type Reader } from './reader.js';

/** Marks that compute or compare: what stands beside them is an operand. */
const OPERATOR = /^[<>=!+*≥≤±^|~≈]$/;
const HOURS = 24;
/** "bei", "zum" and the spaces around them. */
const LONGEST_LINK = 6;

export function isBeside(reader: Reader, found: Found): boolean {
  const { start, end } = found;
  if (isCompared(reader, found)) return blames(reader, 'several', start, end + 2);
  if (isAltered(reader, start, end)) return blames(reader, 'beside', Math.max(0, start - 1), end + 1);
  if (leftOver(reader, found)) return blames(reader, 'beside', start - 1);
  if (rightOver(reader, found)) return blames(reader, 'beside', end, end + 2);
  return (isOperand(reader, found) || isCompound(reader, found) || isName(reader, found)) && blames(reader, 'beside', start - 1, end + 1);
}

/** A word that says something about time, whatever else it may be. */
function isAboutTime(word: Word): boolean {
  if (word.weak || word.article || (word.ord !== undefined && !word.plural)) return false;
  const { unit, weekday, month, part, day, span, half, quarter, hour, toDate, spell, deadline } = word;
  if ((word.workday ?? word.fiscal ?? word.feast) !== undefined) return true;
  return (unit ?? weekday ?? month ?? part ?? day ?? span ?? half ?? quarter ?? hour ?? toDate ?? spell ?? deadline) !== undefined;
}

const isLink = ({ of, prep, skip, num, day }: Word): boolean => (of ?? prep ?? (skip && num === undefined && day === undefined)) === true;

/** Whether the unknown item at this place is a single word. */
const isOneWord = (reader: Reader, at: number): boolean =>
  /^\s*[^\s]+\s*$/.test(reader.text.slice(itemAt(reader, at - 1).end, itemAt(reader, at + 1).start));

/** Words that make the phrase behind them a part of itself: "half March". */
const halves = ({ num, before }: Word): boolean => num === 0.5 || before !== undefined;

function leftOver(reader: Reader, { start, end, fields, span, kind, isCut }: Found): boolean {
  let at = start - 1;
  for (let links = 0; links < 2 && isLink(wordAt(reader, at)); links++) at--;
  const { num, word, digits } = itemAt(reader, at);
  if (isCut && ((word.to ?? word.between ?? word.and) === true || markAt(reader, at) === '-')) return true;
  // "2 weeks starting May 20th"
  if (kind !== 'period' && wordAt(reader, markAt(reader, at) === ',' ? at - 1 : at).unit !== undefined) return true;
  // "Most of last week", but "most of last week's orders".
  if (word.share && !wordAt(reader, end).of && !isUnknown(reader, end)) return true;
  if ((word.ish ?? word.meridiem) !== undefined || (halves(word) && at === start - 1)) return true;
  // 2020/23/Sep
  const joint = itemAt(reader, start - 1);
  if (
    isSeparator(joint.mark) &&
    joint.mark !== '-' &&
    joint.glued &&
    itemAt(reader, start).glued &&
    itemAt(reader, start - 2).num !== undefined
  )
    return true;
  // "Seis cero dos pm", "quinze para meio-dia"
  if (fields?.clock && word.num !== undefined && !word.article && !isUnknown(reader, start - 1)) return true;
  if (isFeast(reader, start, end)) return true;
  // 到昨天
  const { language } = reader.when.locale;
  if ((language === 'ja' || language === 'zh' || language === 'yue') && kind === 'period' && word.to && !word.boundPost) return true;
  // 会議の3日前
  if (
    language === 'ja' &&
    wordAt(reader, start - 1).of &&
    isUnknown(reader, start - 2) &&
    itemAt(reader, start).num !== undefined &&
    fields?.span
  )
    return true;
  // 会议前三天, 发货后三天
  if (
    language === 'zh' &&
    wordAt(reader, start).ago !== undefined &&
    isUnknown(reader, start - 1) &&
    /\p{L}$/u.test(reader.text.slice(0, itemAt(reader, start).start))
  )
    return true;
  // 2020から2021年
  if (word.boundPost !== undefined && kind === 'period' && itemAt(reader, at - 1).num !== undefined) return true;
  // 2週先の日曜日
  if (language === 'ja' && word.unit !== undefined && itemAt(reader, start).glued && at === start - 1) return true;
  // スプリント後の月曜日, 冲刺后的星期一
  if ((language === 'ja' || language === 'zh') && at < start - 1 && (word.boundPost ?? word.ago) !== undefined && isUnknown(reader, at - 1))
    return true;
  // "Il giorno migliore del mese scorso"
  if (isUnknown(reader, at) && wordAt(reader, start - 1).of && wordAt(reader, at - 1).unit === 'day' && isOneWord(reader, at)) return true;
  const isFine = span.grain === 'day' || span.grain === 'hour' || span.grain === 'minute';
  if (num !== undefined && at === start - 1) {
    // "Meet me 9 tomorrow"; in "top 5 today" something is counted, in "page 12 of last month" numbered.
    const before = itemAt(reader, at - 1);
    if (before.word.at && !before.word.to) return true;
    // "Pages 3 à 5"
    if (fields?.clock && wordAt(reader, start).to) return true;
    return isFine && num <= HOURS && digits <= 2 && !fields?.clock && !before.word.top && before.mark !== '#' && before.num === undefined;
  }
  // "Tous les jours sauf deux la semaine dernière"
  if ((num ?? word.num) !== undefined && !word.article && wordAt(reader, at - 1).vague) return true;
  // "Since early March": the word before it was not read with it.
  if (at === start - 1 && word.bound !== undefined && !word.from && !word.of && kind === 'period') return true;
  // "3º cuarto de este año"
  if (word.ord !== undefined && at < start - 1 && (wordAt(reader, at - 1).ordSuffix ?? wordAt(reader, at - 1).ord) !== undefined)
    return true;
  if (!isAboutTime(word)) return false;
  const { unit } = word;
  // "The month of May", "the year 2025", "per day last week"
  // "The week of 16 to 22 March"
  if (unit === 'week' && fields === undefined && span.exact === 0 && span.to - span.from === 7 * DAY_MS) return false;
  if (unit !== undefined && (unit === span.grain || (unit === 'day' && span.grain === 'day') || wordAt(reader, at - 1).each)) return false;
  // "Worked 3 hours yesterday"
  const { num: count, word: before } = itemAt(reader, at - 1);
  const isLength = word.unit === 'hour' || word.unit === 'minute' || word.unit === 'second' || word.spell === true;
  return !(isLength && (count ?? before.num) !== undefined);
}

function rightOver(reader: Reader, { start, end, fields, kind, isCut }: Found): boolean {
  const { word, num, mark } = itemAt(reader, end);
  if (kind !== 'period') return false;
  // 1日3回 is three times a day.
  if (num !== undefined && itemAt(reader, end).glued && fields?.day === 1 && fields.month === undefined) return true;
  if (num !== undefined) return endsCount(reader, end + 1);
  if (word.ish || (word.about && wordAt(reader, end + 2).ish)) return true;
  if (isCut && ((word.to ?? word.and ?? word.boundPost) !== undefined || mark === '-')) return true;
  // "Today in the middle of the morning"
  const inner = wordAt(reader, isLink(word) ? (isLink(wordAt(reader, end + 1)) ? end + 2 : end + 1) : end);
  if (inner.third !== undefined && inner.thirdUnit === undefined) return true;
  // "Yesterday during office hours"
  if (isLink(word) && inner.spell) return true;
  // "The Wednesday following the audit"
  if (word.rel !== undefined && !word.post && isLink(wordAt(reader, end + 1)) && isUnknown(reader, end + 2)) return true;
  // 上周除了两天
  if (word.vague && (itemAt(reader, end + 1).num ?? wordAt(reader, end + 1).num) !== undefined && !isSum(reader, end + 2)) return true;
  // 三月的两个星期五
  if (word.of && wordAt(reader, end + 2).measure && isAboutTime(wordAt(reader, end + 3))) return true;
  // "A Monday in March" is any of them.
  if ((word.of ?? word.lead) !== undefined && inner.month !== undefined && isBareWeekday(fields)) return true;
  if (word.unclocked && !fields?.clock) return true;
  if (isNarrowed(reader, end)) return true;
  if (isOrdinal(reader, start, end)) return true;
  const leads = (word.at ?? word.about ?? word.prep ?? word.bound ?? word.off) !== undefined;
  const isShort = isUnknown(reader, end) && itemAt(reader, end + 1).start - itemAt(reader, end - 1).end <= LONGEST_LINK;
  if (
    !fields?.clock &&
    (leads || isShort || word.to || word.skip || word.of) &&
    (wordAt(reader, end + 1).unclocked ?? wordAt(reader, end + 2).unclocked)
  )
    return true;
  if (word.at && isNoTime(reader, end + 1)) return true;
  // "Del 5 al 10 por ciento"
  if (word.to && wordAt(reader, start).from && itemAt(reader, end + 1).num !== undefined && isSum(reader, end + 2)) return true;
  // 一点意见 is some advice.
  if (isUnknown(reader, end) && reader.text.slice(itemAt(reader, start).start, itemAt(reader, end - 1).end) === '一点') return true;
  if ((word.bound ?? word.off) !== undefined && !word.from && isRelation(reader, end) && isPlaceless(reader, end + 1)) return true;
  // Italian "lunedì dopo" is the next one, "lunedì dopo il lavoro" is not.
  const last = wordAt(reader, end - 1);
  if (last.post && (last.bound ?? last.off) !== undefined && isPlaceless(reader, end)) return true;
  // "Sunday from last week"
  if (word.from && readMoment(reader, end + 1)) return true;
  // "The Friday before last Christmas"
  if (word.vague && Math.abs(wordAt(reader, end - 1).rel ?? 0) === 2) return true;
  // "The evenings of last week" said the other way round; the first day of something that is no month.
  if (word.of && !word.from && isAboutTime(wordAt(reader, end + 1))) return true;
  const inside = wordAt(reader, isLink(wordAt(reader, end + 1)) ? end + 2 : end + 1);
  if (word.of && (inside.fiscal ?? inside.feast) !== undefined) return true;
  if (word.of && fields?.day !== undefined && last.unit === 'day' && !last.daySuffix && isPlaceless(reader, end + 1)) return true;
  // 24h/24, 12:30:45:99
  if ((mark === '/' || (mark === ':' && itemAt(reader, end).glued)) && itemAt(reader, end + 1).num !== undefined && fields?.clock)
    return true;
  // "The last Monday of the sprint"
  if (
    word.of &&
    (!word.skip || fields?.week !== undefined) &&
    !isPossessive(reader, end) &&
    isCounted(reader, fields) &&
    isPlaceless(reader, end + 1)
  )
    return true;
  if (mark === ',' || mark === '(') return itemAt(reader, end + 1).num !== undefined && endsCount(reader, end + 2) && start >= 0;
  return isAboutTime(word) && !word.of && !word.to && !word.from && word.bound === undefined && !word.at;
}

const isBareWeekday = (fields: Fields | undefined): boolean =>
  fields?.weekday !== undefined && (fields.day ?? fields.month ?? fields.week ?? fields.nth ?? fields.turn ?? fields.shift) === undefined;

/** 2018年光明节, 复活节星期一: the phrase is only a part of the name of a holiday. */
function isFeast(reader: Reader, start: number, end: number): boolean {
  const { text } = reader;
  const behind = itemAt(reader, end - 1).end;
  return (
    /[节節]$/.test(text.slice(0, itemAt(reader, start).start)) ||
    /^\p{Script=Han}{0,5}(?:[节節]|[斋齋][月期])(?!\p{Script=Han})/u.test(text.slice(behind, behind + 8))
  );
}

/** "Morgen kurz nach dem Frühstück": a time that no clock shows, and a relation to it. */
function isNarrowed(reader: Reader, end: number): boolean {
  let related = false;
  for (let at = end; at < end + FAR && markAt(reader, at) === ''; at++) {
    const { unclocked, bound, off, at: place, about, vague } = wordAt(reader, at);
    if (unclocked && related) return true;
    related ||= (bound ?? off ?? place ?? about ?? vague) !== undefined;
  }
  return false;
}

/** Items behind the phrase in which such a time is looked for. */
const FAR = 5;

/** "Last Friday's meeting" */
function isPossessive(reader: Reader, at: number): boolean {
  const { start, end } = itemAt(reader, at);
  return end - start === 1 && reader.text.charAt(start - 1) === "'";
}

/** Articles and joints that may stand between a phrase and a word that changes it. */
const isJoint = (word: Word): boolean => isLink(word) || (word.and ?? word.or ?? word.at ?? word.article) === true;

function isAltered(reader: Reader, start: number, end: number): boolean {
  let [left, right] = [start - 1, end];
  for (let steps = 0; steps < 2 && isJoint(wordAt(reader, left)) && !wordAt(reader, left).alters; steps++) left--;
  for (let steps = 0; steps < 2 && isJoint(wordAt(reader, right)) && !wordAt(reader, right).alters; steps++) right++;
  const [before, behind] = [wordAt(reader, left), wordAt(reader, right)];
  if (OPERATOR.test(markAt(reader, left)) && left < start - 1) return true;
  return before.alters === true || behind.alters === true || (before.age !== undefined && before.ageAlone === true);
}

const COMPARED = 5;

/** "Last month vs last year", "compare March with April": one of two. */
function isCompared(reader: Reader, { start, end, fields }: Found): boolean {
  const leads = reader.items.slice(Math.max(0, start - COMPARED), start).some(({ word }) => word.compares);
  const joins = reader.items.slice(end, end + COMPARED).findIndex(({ word }) => word.compares);
  const passed = reader.items.slice(Math.max(0, start - COMPARED), start).some(({ word }) => (word.month ?? word.weekday) !== undefined);
  if (leads && (fields === undefined || passed)) return true;
  const from = leads ? end : end + joins;
  if (!leads && joins < 0) return false;
  for (let at = from + 1; at <= from + COMPARED; at++) if (isAboutTime(wordAt(reader, at)) || readMoment(reader, at)) return true;
  return false;
}

/** The nth or last of something; の and 的 only say whose it is. */
function isCounted({ when }: Reader, fields: Fields | undefined): boolean {
  const { language } = when.locale;
  if (!fields || language === 'ja' || language === 'zh' || language === 'yue') return false;
  if ((fields.nth ?? fields.week) !== undefined || (fields.weekday !== undefined && fields.day === undefined && !fields.shift)) return true;
  return language === 'en' && fields.shift?.loose === true && fields.shift.unit !== 'month' && fields.shift.unit !== 'year';
}

/** A number at the end of what is said, not one of things. */
function endsCount(reader: Reader, at: number): boolean {
  // "Yesterday 5-10 orders"
  const isRange = (markAt(reader, at) === '-' || wordAt(reader, at).to) && itemAt(reader, at + 1).num !== undefined;
  if (isRange) return endsCount(reader, at + 2);
  return !isSum(reader, at) && !isCount(reader, at) && wordAt(reader, at).unit === undefined;
}

/** Portuguese "segunda opção" is the second one. */
function isOrdinal(reader: Reader, start: number, end: number): boolean {
  if (reader.when.locale.language !== 'pt' || end !== start + 1 || wordAt(reader, start).weekday === undefined) return false;
  return (
    (isUnknown(reader, end) || wordAt(reader, end).share === true) &&
    !reader.text.slice(itemAt(reader, start).start, itemAt(reader, start).end).includes('feira')
  );
}

/** "Monday after work"; German "nach Region" says by what, Dutch "voor" for whom. */
function isRelation(reader: Reader, at: number): boolean {
  const { past } = wordAt(reader, at);
  const { language } = reader.when.locale;
  if (past === undefined) return wordAt(reader, at).groups !== true;
  return language === 'de' && (past < 0 || isLink(wordAt(reader, at + 1)));
}

/** "At 25", "at around half past". */
function isNoTime(reader: Reader, at: number): boolean {
  const next = wordAt(reader, at).about ? at + 1 : at;
  const { num, word } = itemAt(reader, next);
  return (num !== undefined && !isCount(reader, next + 1)) || (word.before ?? word.edge) !== undefined || isAboutTime(word);
}

/** Behind an article or two something that the grammar does not know. */
function isPlaceless(reader: Reader, at: number): boolean {
  let next = at;
  for (let skipped = 0; skipped < 2 && isLink(wordAt(reader, next)); skipped++) next++;
  return (
    isUnknown(reader, next) || isAboutTime(wordAt(reader, next)) || (wordAt(reader, next).edge ?? wordAt(reader, next).vague) !== undefined
  );
}

function isOperand(reader: Reader, { start, end }: Found): boolean {
  // "period=last_month" names it, ">= 2026-03-01" compares with it.
  const before = markAt(reader, start - 1) === '=' && !OPERATOR.test(markAt(reader, start - 2)) ? '' : markAt(reader, start - 1);
  if (OPERATOR.test(before) || OPERATOR.test(markAt(reader, end))) return true;
  if (markAt(reader, start - 1) === '..' || markAt(reader, end) === '..') return true;
  // "since:yesterday"
  if (markAt(reader, start - 1) === ':' && (wordAt(reader, start - 2).bound ?? wordAt(reader, start - 2).off) !== undefined) return true;
  // "today - 7 days"
  return markAt(reader, end) === '-' && itemAt(reader, end + 1).num !== undefined;
}

/** "Pre-2024", "afternoon-ish", "quinta-essência": a hyphen makes one word of two. */
function isCompound(reader: Reader, { start, end }: Found): boolean {
  const [from, to] = [itemAt(reader, start).start, itemAt(reader, end - 1).end];
  if (/\p{L}-$/u.test(reader.text.slice(Math.max(0, from - 2), from)) && isUnknown(reader, start - 2)) return true;
  return /^-\p{L}/u.test(reader.text.slice(to, to + 2)) && (isUnknown(reader, end + 1) || wordAt(reader, end + 1).ish === true);
}
