/** Numbers in Han characters. */
const ONES = '〇一二三四五六七八九';
const TENS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };

/** 二十五 is 25, 二〇〇九 is 2009, 两三 is not a number. */
export function readNumeral(text: string, start: number): { value: number; digits: number; end: number } | undefined {
  let [total, one, digits, scaled] = [0, 0, 0, false];
  let i = start;
  for (; i < text.length && i < start + 8; i++) {
    const character = text[i] ?? '';
    const digit = character === '零' ? 0 : character === '两' || character === '兩' ? 2 : ONES.indexOf(character);
    const scale = TENS[character];
    if (digit >= 0) {
      one = scaled ? digit : one * 10 + digit;
      digits++;
    } else if (scale) {
      total += (one || 1) * scale;
      one = 0;
      scaled = true;
    } else if (character === '廿' && !scaled && digits === 0) {
      total = 20;
      scaled = true;
    } else break;
  }
  // 两三天 are two or three days: not a number.
  if (!scaled && digits === 2 && one % 10 === Math.floor(one / 10) + 1) return { value: Number.NaN, digits, end: i };
  return i > start ? { value: total + one, digits: scaled ? 2 : digits, end: i } : undefined;
}
