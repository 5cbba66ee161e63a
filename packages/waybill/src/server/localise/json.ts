/**
 * Returns the offset of the first character that is not valid JSON; Node 20 names it only for long texts. Calls `twice` for a name that
 * its object has had before: `JSON.parse` would silently drop the first one.
 */
export function jsonFault(text: string, twice?: (name: string, offset: number) => void): number | undefined {
  const token =
    /[ \t\r\n]*([{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
  /** The closing bracket of each open object or array, innermost last. */
  const open: ('}' | ']')[] = [];
  /** The names of each open object. */
  const names: Set<string>[] = [];
  let expects: 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing' = 'value';
  for (;;) {
    const start = token.lastIndex;
    const found = token.exec(text)?.[1];
    const offset = found === undefined ? start + blanks(text, start) : token.lastIndex - found.length;
    if (found === undefined) return offset === text.length && expects === 'nothing' ? undefined : offset;
    const inner = open.at(-1);
    const after = (): typeof expects => (open.length === 0 ? 'nothing' : 'comma or end');
    if (found === inner && (expects === 'comma or end' || expects === 'value or end' || expects === 'name or end')) {
      open.pop();
      if (found === '}') names.pop();
      expects = after();
    } else if (expects === 'colon' && found === ':') expects = 'value';
    else if (expects === 'comma or end' && found === ',') expects = inner === '}' ? 'name' : 'value';
    else if ((expects === 'name' || expects === 'name or end') && found.startsWith('"')) {
      const name = JSON.parse(found) as string;
      if (names.at(-1)?.has(name)) twice?.(name, offset);
      names.at(-1)?.add(name);
      expects = 'colon';
    } else if ((expects === 'value' || expects === 'value or end') && !/^[}\],:]$/.test(found)) {
      if (found === '{') {
        open.push('}');
        names.push(new Set());
      }
      if (found === '[') open.push(']');
      expects = found === '{' ? 'name or end' : found === '[' ? 'value or end' : after();
    } else return offset;
  }
}

function blanks(text: string, from: number): number {
  let at = from;
  while (/[ \t\r\n]/.test(text[at] ?? '')) at++;
  return at - from;
}
