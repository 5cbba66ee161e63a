/**
 * The `tracestate` value of W3C Trace Context level 2: one entry of each tracing system on the way, newest first (TRACE-10). It is used as a
 * whole or not at all: with one bad member, the order of the others means nothing.
 */
export type TracestateMember = readonly [key: string, value: string];

const MAX_MEMBERS = 32;
const MAX_PART = 256;
/** The longest list of the grammar: 32 members, each with a key, an equals sign, a value and a comma. */
const MAX_LENGTH = MAX_MEMBERS * (2 * MAX_PART + 2);

const [TAB, SPACE, COMMA, EQUALS] = [0x09, 0x20, 0x2c, 0x3d];
const FIRST = 1;
const KEY = 2;
const VALUE = 4;
const BLANK = 8;
const END = 16;

/** The usual form of a list, without blanks and empty members, and so short that no part can be too long. */
const USUAL = /^[a-z0-9][a-z0-9_*/@-]*=[!-+\--<>-~]+(?:,[a-z0-9][a-z0-9_*/@-]*=[!-+\--<>-~]+){0,31}$/;

/** The role of each ASCII character. In level 2 a key may start with a digit, and `@` has no special meaning. */
const USES: Uint8Array = new Uint8Array(128);
for (let code = 0x20; code < 0x7f; code++) {
  const character = String.fromCharCode(code);
  if (/[a-z0-9]/.test(character)) USES[code] = FIRST | KEY | VALUE;
  else if (/[_*/@-]/.test(character)) USES[code] = KEY | VALUE;
  else if (code !== COMMA && code !== EQUALS) USES[code] = VALUE;
}
USES[SPACE] = VALUE | BLANK;
USES[TAB] = BLANK;
USES[COMMA] = END;

/** Parses the members in order, repeated keys included; undefined if the value is malformed. */
export function parseTracestate(text: string): TracestateMember[] | undefined {
  const members: TracestateMember[] = [];
  return scan(text, (key, value) => members.push([key, value])) ? members : undefined;
}

/** Checks a text without parsing it, for a hop that only passes it on. */
export function isTracestate(text: string): boolean {
  return (text.length <= MAX_PART && USUAL.test(text)) || scan(text);
}

export function validTracestateMember(key: string, value: string): boolean {
  const [member, ...others] = parseTracestate(`${key}=${value}`) ?? [];
  return others.length === 0 && member?.[0] === key && member[1] === value;
}

/**
 * Puts our own entry first and removes an older one of ours; the others keep their order. A malformed list is dropped. A full list loses its last
 * member, the oldest.
 */
export function prependTracestate(text: string | undefined, [key, value]: TracestateMember): string {
  if (!validTracestateMember(key, value)) throw new TypeError('not a tracestate key and value');
  const others = (parseTracestate(text ?? '') ?? []).filter(([other]) => other !== key).slice(0, MAX_MEMBERS - 1);
  return [[key, value], ...others].map((member) => member.join('=')).join(',');
}

/** Checks the grammar in one pass. Empty members are legal, and blanks around a member are not part of it. */
function scan(text: string, visit?: (key: string, value: string) => void): boolean {
  if (text.length > MAX_LENGTH) return false;
  let members = 0;
  let [start, equals, end] = [-1, -1, -1]; // of the current member: start of the key, equals sign, end of the value; -1 until found
  let closed = false;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : COMMA; // the end of the text also ends a member
    const uses = code < 128 ? (USES[code] as number) : 0;
    if (start < 0) {
      if ((uses & FIRST) !== 0) start = at;
      else if ((uses & (BLANK | END)) === 0) return false;
    } else if (equals < 0) {
      if (code === EQUALS && at - start <= MAX_PART) equals = at;
      else if ((uses & KEY) === 0) return false;
    } else if ((uses & END) !== 0) {
      if (end < 0 || end - equals - 1 > MAX_PART || ++members > MAX_MEMBERS) return false;
      visit?.(text.slice(start, equals), text.slice(equals + 1, end));
      start = equals = end = -1;
      closed = false;
    } else if (code === TAB) {
      closed = true; // a value may contain blanks but no tabs
    } else if (code !== SPACE) {
      if (closed || (uses & VALUE) === 0) return false;
      end = at + 1;
    }
  }
  return true;
}
