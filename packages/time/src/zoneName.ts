/** IANA time zone names. `Intl` also takes names that only ICU has (`PST`, `SystemV/AST4`), and newer runtimes take offsets. */
const FORM = /^(?!systemv\/)[a-z][a-z0-9_+/-]{1,63}$/i;
/** The names of three letters that the database has; every other one is ICU's. */
const SHORT: ReadonlySet<string> = new Set('CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET'.split(' '));

export function isZoneName(name: string): boolean {
  if (!FORM.test(name) || (name.length === 3 && !SHORT.has(name.toUpperCase()))) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}
