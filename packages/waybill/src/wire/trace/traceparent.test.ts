import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTraceparent, isParentId, isTraceId, parseTraceparent, RANDOM, SAMPLED } from './traceparent.js';

/** Any UTF-16, lone surrogates included. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const hex = (length: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[0-9a-f]{${length - 1}}[1-9a-f]$`));

describe('parseTraceparent', () => {
  it.each([
    ['version 00', `00-${TRACE}-${PARENT}-01`, { version: 0, flags: 1 }],
    ['all flags set, unknown ones included', `00-${TRACE}-${PARENT}-ff`, { version: 0, flags: 255 }],
    ['a later version of the same length', `01-${TRACE}-${PARENT}-00`, { version: 1, flags: 0 }],
    ['a later version with more fields', `cd-${TRACE}-${PARENT}-02-more.of=it`, { version: 0xcd, flags: 2 }],
    ['a later version of 512 characters', `01-${TRACE}-${PARENT}-01-`.padEnd(512, 'x'), { version: 1, flags: 1 }],
    ['a later version with an empty further field', `fe-${TRACE}-${PARENT}-01-`, { version: 0xfe, flags: 1 }],
  ])('TRACE-09: %s is read by its first four fields', (_, text, { version, flags }) => {
    expect(parseTraceparent(text)).toEqual({ version, traceId: TRACE, parentId: PARENT, flags });
  });

  it.each([
    ['nothing', ''],
    ['version ff', `ff-${TRACE}-${PARENT}-01`],
    ['a version that is no hex', `0g-${TRACE}-${PARENT}-01`],
    ['upper-case hex in the version', `0A-${TRACE}-${PARENT}-01`],
    ['upper-case hex in the trace id', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['upper-case hex in the parent id', `00-${TRACE}-${PARENT.toUpperCase()}-01`],
    ['upper-case hex in the flags', `00-${TRACE}-${PARENT}-0A`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a trace id that is one too short', `00-${TRACE.slice(1)}-${PARENT}-01`],
    ['a parent id that is one too long', `00-${TRACE}-${PARENT}0-01`],
    ['one flag digit', `00-${TRACE}-${PARENT}-1`],
    ['a dash within the flags', `00-${TRACE}-${PARENT}-0-`],
    ['version 00 with a further field', `00-${TRACE}-${PARENT}-01-00`],
    ['version 00 with anything behind it', `00-${TRACE}-${PARENT}-01 `],
    ['a later version with a third flag digit', `01-${TRACE}-${PARENT}-012`],
    ['a later version with a list behind it', `01-${TRACE}-${PARENT}-01,01-${TRACE}-${PARENT}-01`],
    ['a later version with a line break behind it', `01-${TRACE}-${PARENT}-01-x\r\nx-evil: 1`],
    ['a later version of 513 characters', `01-${TRACE}-${PARENT}-01-`.padEnd(513, 'x')],
    ['a later version without end', `01-${TRACE}-${PARENT}-01-${'x'.repeat(10_000_000)}`],
    ['another separator', `00_${TRACE}_${PARENT}_01`],
    ['blanks around it', ` 00-${TRACE}-${PARENT}-01`],
    ['full-width digits', `00-${TRACE.replace('4', '４')}-${PARENT}-01`],
    // U+0134 and U+0161 end in the same seven bits as `4` and `a`.
    ['letters that only look like hex in seven bits', `00-${TRACE.replace('4', 'Ĵ')}-${PARENT}-01`],
    ['such a letter in the flags', `00-${TRACE}-${PARENT}-0š`],
  ])('TRACE-09: %s is no traceparent', (_, text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });

  it('any text either gives valid ids or nothing', () => {
    const almost = fc.tuple(hex(2), hex(32), hex(16), hex(2), fc.string()).map(([v, t, p, f, rest]) => `${v}-${t}-${p}-${f}${rest}`);
    fc.assert(
      fc.property(fc.oneof(anyText, almost), (text) => {
        const parsed = parseTraceparent(text);
        return (
          parsed === undefined || (isTraceId(parsed.traceId) && isParentId(parsed.parentId) && parsed.flags >= 0 && parsed.flags < 256)
        );
      }),
    );
  });
});

describe('formatTraceparent', () => {
  it('parse undoes format, and TRACE-11: flags that level 2 does not define go out as zero', () => {
    fc.assert(
      fc.property(hex(32), hex(16), fc.integer({ min: 0, max: 255 }), (traceId, parentId, flags) => {
        if (!isTraceId(traceId) || !isParentId(parentId)) throw new Error('the arbitrary is wrong');
        const text = formatTraceparent({ traceId, parentId, flags });
        expect(parseTraceparent(text)).toEqual({ version: 0, traceId, parentId, flags: flags & (SAMPLED | RANDOM) });
      }),
    );
  });
});

describe('isTraceId, isParentId', () => {
  it.each([
    ['', false, false],
    [TRACE, true, false],
    [PARENT, false, true],
    ['0'.repeat(32), false, false],
    ['0'.repeat(16), false, false],
    [`${PARENT.slice(1)}G`, false, false],
  ])('%s', (text, trace, parent) => {
    expect([isTraceId(text), isParentId(text)]).toEqual([trace, parent]);
  });
});
