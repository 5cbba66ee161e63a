/** The same account of the words beside a phrase for scripts without spaces: the characters that touch it are a particle, a neutral word or an end. */
import type { Found } from './outcome.js';
import { isFullDate, isName, isSentence } from './around.js';
import { isUnknown, itemAt, wordAt, type Reader } from './reader.js';
import { isAboutTime } from './timeWords.js';

const REACH = 24;
const MAX_JOINTS = 3;
/** Characters of words about time, amounts and order: an unknown word with one of them at the phrase may narrow it. */
const TIMELY =
  /[時时刻分秒日月年週周朝晨昼晝夕夜晩晚早遅迟前後后中半末初頃顷未明间間內内外以過过次翌季節节祭曜旬期終终始開毎每隔数數約约程近部多少各第其頭头底尾際际]/u;
/** "The busiest day of last week" names it at its end. */
const ENDS_TIMELY = /(?:[天日]|时候|时分)$/u;
/** 明日の仕事後, 明天下班后 */
const AFTER = /^[\p{Script=Han}\p{Script=Katakana}ー]{1,6}(?<![提之目以当此从])[前後后](?![年期端台提往面续者天景途])/u;
const LETTER_BEFORE = /[\p{L}\p{N}]$/u;
const LETTER_BEHIND = /^[\p{L}\p{N}]/u;

export function touchesNothing(reader: Reader, found: Found): boolean {
  return allowsBefore(reader, found) && allowsBehind(reader, found);
}

function allowsBefore(reader: Reader, found: Found): boolean {
  const isOf = wordAt(reader, found.start - 1).of === true;
  const at = isOf ? found.start - 2 : found.start - 1;
  if (!isUnknown(reader, at) || isFullDate(reader, found)) return true;
  const place = itemAt(reader, at + 1).start;
  const text = reader.text.slice(Math.max(0, place - REACH), place);
  if (!LETTER_BEFORE.test(text) || reader.words.ends(text)) return true;
  // できれば6月の売上
  const isApart = /\p{Script=Hiragana}$/u.test(text) && itemAt(reader, found.start).num !== undefined;
  return isSentence(reader, found) && !TIMELY.test(text.slice(-1)) && (isOf || isApart || !isName(reader, found));
}

function allowsBehind(reader: Reader, found: Found): boolean {
  let at = found.end;
  let isOf = false;
  for (let joints = 0; joints < MAX_JOINTS && (wordAt(reader, at).of ?? wordAt(reader, at).skip); joints++, at++)
    isOf ||= wordAt(reader, at).of === true;
  if (at > found.end && !isOf) return true;
  const text = reader.text.slice(itemAt(reader, at - 1).end).slice(0, REACH);
  if ((isUnknown(reader, at) || wordAt(reader, at).rel !== undefined) && AFTER.test(text)) return false;
  if (!isUnknown(reader, at)) return !remains(reader, at) || (wordAt(reader, at).thing === true && isSentence(reader, found));
  if (!LETTER_BEHIND.test(text)) return true;
  if (!isSentence(reader, found) && ENDS_TIMELY.test(text)) return false;
  if (reader.words.begins(text)) return true;
  return (
    isSentence(reader, found) && !TIMELY.test(text.slice(0, 1)) && (isOf || reader.when.locale.language !== 'ja' || !isName(reader, found))
  );
}

/** A touching word of the grammar that was not read with the phrase: 来月あたり, 今日头条. */
function remains(reader: Reader, at: number): boolean {
  const { vague, sum, each, oclock, thing, unclocked } = wordAt(reader, at);
  if (!itemAt(reader, at).glued) return false;
  const { num, spoils, thirdPost, to } = wordAt(reader, at);
  // 上个月的前半个月
  const isNarrow = wordAt(reader, at).rel !== undefined && wordAt(reader, at + 1).num !== undefined;
  // 3月上旬から
  if (wordAt(reader, at - 1).thirdPost && wordAt(reader, at).boundPost) return true;
  if (isNarrow || (num ?? spoils ?? thirdPost) !== undefined || (to && isAboutTime(wordAt(reader, at + 1)))) return true;
  if (isUnknown(reader, at + 1) || wordAt(reader, at - 1).of) return false;
  return (vague ?? sum ?? each ?? oclock ?? thing ?? unclocked) !== undefined;
}

/** Rules of `leftOver` for these scripts. `at` is the word before the phrase, without the joints between. */
export function leavesOver(reader: Reader, { start, end, fields, kind }: Found, at: number): boolean {
  const { word } = itemAt(reader, at);
  // 会議の翌日, 发货次日
  if (wordAt(reader, start).follows && itemAt(reader, start).glued && (wordAt(reader, start - 1).of || isUnknown(reader, start - 1)))
    return true;
  const isJapanese = reader.when.locale.language === 'ja';
  if (isFeast(reader, start, end)) return true;
  // 到昨天
  if (kind === 'period' && word.to && !word.boundPost) return true;
  // 会議の3日前
  if (isJapanese && wordAt(reader, start - 1).of && isUnknown(reader, start - 2) && itemAt(reader, start).num !== undefined && fields?.span)
    return true;
  // 会议前三天, 发货后三天
  const before = reader.text.slice(0, itemAt(reader, start).start);
  if (
    !isJapanese &&
    wordAt(reader, start).ago !== undefined &&
    (isUnknown(reader, start - 1) || wordAt(reader, start - 1).boundPost) &&
    /\p{L}$/u.test(before)
  )
    return true;
  // 展会最后一天
  if (fields?.shift?.loose && fields.shift.unit === 'day' && isUnknown(reader, at) && /\p{L}$/u.test(before)) return true;
  // 2020から2021年
  if (word.boundPost !== undefined && kind === 'period' && itemAt(reader, at - 1).num !== undefined) return true;
  // 2週先の日曜日
  if (isJapanese && word.unit !== undefined && itemAt(reader, start).glued && at === start - 1) return true;
  // スプリント後の月曜日, 冲刺后的星期一
  return at < start - 1 && (word.boundPost ?? word.ago) !== undefined && isUnknown(reader, at - 1);
}

/** 2018年光明节, 复活节星期一: the phrase is only a part of the name of a holiday. */
function isFeast(reader: Reader, start: number, end: number): boolean {
  const { text } = reader;
  const behind = itemAt(reader, end - 1).end;
  return (
    /[节節]$/.test(text.slice(0, itemAt(reader, start).start)) ||
    /^\p{Script=Han}{0,5}(?:[节節]|[斋齋][月期])(?!\p{Script=Han})/u.test(text.slice(behind, behind + 8))
  );
}
