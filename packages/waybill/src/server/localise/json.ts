/** Where a text stops being JSON: the offset of the first character that cannot stand there. Node 20 names it for long texts only. */
export function jsonFault(text: string): number | undefined {
  const token =
    /[ \t\r\n]*([{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
  /** What closes what is open, innermost last. */
  const open: ('}' | ']')[] = [];
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
      expects = after();
    } else if (expects === 'colon' && found === ':') expects = 'value';
    else if (expects === 'comma or end' && found === ',') expects = inner === '}' ? 'name' : 'value';
    else if ((expects === 'name' || expects === 'name or end') && found.startsWith('"')) expects = 'colon';
    else if ((expects === 'value' || expects === 'value or end') && !/^[}\],:]$/.test(found)) {
      if (found === '{') open.push('}');
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
