import { describe, expect, it } from 'vitest';
import { checkMembers, checkNames, expectFlag, expectMembers, expectMethods, expectOneOf, expectTexts } from './check.js';
import { nearest } from './nearest.js';
import { checkTag } from './language/tag.js';

const CHECKS = { strict: expectFlag, limits: expectMembers({ size: expectOneOf(1, 2) }) };

describe('options', () => {
  it('options that are right, or not set, pass', () => {
    expect(() => checkMembers({ strict: undefined, limits: { size: 2 } }, CHECKS, 'call')).not.toThrow();
  });

  it.each([
    [{ strict: 'yes' }, 'call.strict: expected true or false'],
    [{ limits: 5 }, 'call.limits: expected an object'],
    [{ limits: { sise: 1 } }, 'call.limits.sise: unknown option; did you mean size?'],
    [{ elsewhere: 1 }, 'call.elsewhere: unknown option; expected one of strict, limits'],
    [null, 'call: expected an object'],
  ])('%j: the message names the path and what was expected', (given, message) => {
    expect(() => checkMembers(given, CHECKS, 'call')).toThrow(new TypeError(message));
  });

  it('an option with none of the allowed values is a RangeError that shows the value', () => {
    expect(() => expectOneOf('a', 'b')('c', 'letter')).toThrow(new RangeError('letter: expected one of a, b, got "c"'));
  });

  it('options of the outermost call have paths without its name', () => {
    expect(() => checkMembers({ strickt: true }, CHECKS, 'call', '')).toThrow('strickt: unknown option; did you mean strict?');
    expect(() => checkNames({ strickt: true }, ['strict'], 'call')).toThrow('call.strickt: unknown option');
  });

  it('an option that is a promise fails: the program has to await it', () => {
    expect(() => expectMethods('what catalogs() gives', 'find')(Promise.resolve({}), 'catalogs')).toThrow(
      'catalogs: expected what catalogs() gives, got a promise: await it',
    );
  });

  it('a list of texts contains only texts', () => {
    expect(() => expectTexts(['a', 1], 'keys')).toThrow('keys: expected a list of texts');
  });
});

describe('the nearest name', () => {
  it.each([
    ['langauge', 'language'],
    ['LANGUAGE', 'language'],
    ['timeZone', 'timezone'],
    ['telemetrie', 'telemetry'],
    ['xyz', undefined],
    ['', undefined],
  ])('the nearest name to %j is %j', (text, name) => {
    expect(nearest(text, ['trace', 'language', 'timezone', 'telemetry'])).toBe(name);
  });
});

describe('a tag in the options', () => {
  it.each(['de', 'de-AT', 'zh-Hant-TW', 'x-pirate', 'i-klingon', 'fil', '*'])('%s passes', (tag) => {
    expect(() => checkTag(tag, 'language')).not.toThrow();
  });

  it.each([
    ['german', 'language: expected a BCP 47 language tag, got "german"; did you mean de?'],
    ['Deutsch', 'language: expected a BCP 47 language tag, got "Deutsch"; did you mean de?'],
    ['Germna', 'language: expected a BCP 47 language tag, got "Germna"; did you mean de?'],
    ['english-US', 'language: expected a BCP 47 language tag, got "english-US"; did you mean en?'],
    ['qqqqqq', 'language: expected a BCP 47 language tag, got "qqqqqq"'],
    ['de_AT', 'language: expected a BCP 47 language tag, got "de_AT"'],
    [5, 'language: expected a BCP 47 language tag, got 5'],
  ])('%j is an error', (tag, message) => {
    expect(() => checkTag(tag, 'language')).toThrow(new RangeError(message));
  });
});
