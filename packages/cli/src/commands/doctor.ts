import { ignore, missingCapabilities, readRequirement } from 'waybill/adapter';
import { KNOWN_HOSTS } from '../doctor/hosts.js';
import { judge, type Finding } from '../doctor/judge.js';
import { examine, type Examined, type Tool } from '../doctor/probe.js';
import { usage } from '../failure.js';
import { cleanLine } from '../output.js';
import { type CommandAnswer, type Run, textOf } from '../run.js';
import { counted, hanging, table, wrap } from '../table.js';
import { targetOf } from '../target/target.js';

/** Sends discovery, lists and one unknown method; a tool only with `--call`. */
export async function run(run: Run): Promise<CommandAnswer> {
  const { target, words } = await targetOf(run);
  const tool = textOf(run, 'call');
  if (words.length > 0 && tool === undefined) throw usage(`"${words.join(' ')}" is too much`, 'Arguments need --call TOOL.');
  const examined = await examine(run, target, tool === undefined ? undefined : { tool, words });
  const { name, revision, unknownMethod } = examined;
  const [findings, hosts] = [judge(examined), hostTable(examined)];
  run.out.note(run.out.paintNote('dim', `${name}, revision ${revision}`));
  return {
    ok: findings.every(({ verdict }) => verdict !== 'breaks' && verdict !== 'refuses'),
    result: { revision, findings, unknownMethod, hosts },
    text: textFor(findings, hosts, unknownMethod, run),
  };
}

/** The tools that cannot be used in each host: not listed there, or in need of more. A tool that says nothing counts as usable. */
function hostTable({ tools, listed }: Examined) {
  return KNOWN_HOSTS.map((known) => {
    const { host, capabilities, source, asOf, note } = known;
    const isListed = (tool: Tool): boolean => listed?.get(known)?.includes(tool.name) ?? true;
    const isUsable = (tool: Tool): boolean => {
      const { required } = readRequirement(tool, ignore);
      return required === undefined || missingCapabilities(required, capabilities) === undefined;
    };
    const missing = tools.filter((tool) => !isListed(tool) || !isUsable(tool)).map(({ name }) => name);
    return { host, works: tools.length - missing.length, missing, capabilities, source, asOf, ...(note !== undefined && { note }) };
  });
}

/** Columns of concern and verdict, with the blanks after them. */
const BESIDE = 27;
const STYLES = { understands: 'green', ignores: 'yellow', unknown: 'dim', refuses: 'red', breaks: 'red' } as const;

function textFor(findings: readonly Finding[], hosts: ReturnType<typeof hostTable>, unknown: string, { out }: Run): string {
  const width = Math.max(40, out.columns - BESIDE);
  const rows = findings.flatMap(({ concern, verdict, saw, fix }) => {
    const fixes = fix === undefined ? [] : wrap(`fix: ${fix}`, width).map((line) => out.paint('dim', line));
    const [first = '', ...more] = [...wrap(cleanLine(saw), width), ...fixes];
    return [[concern, out.paint(STYLES[verdict], verdict), first], ...more.map((line) => ['', '', line])];
  });
  const counts = hosts.map(({ host, works }) => [host, `${counted(works, 'tool')} work${works === 1 ? 's' : ''}`]);
  const labels = table(counts, '  ').split('\n');
  const longest = Math.max(...labels.map(({ length }) => length));
  const where = hosts.map(({ missing }, at) => {
    const label = labels[at] ?? '';
    return missing.length === 0 ? label : hanging(`${label.padEnd(longest)}  `, `not: ${missing.map(cleanLine).join(', ')}`, out.columns);
  });
  const basis = wrap('From the documents of the hosts, the lists and the needs of the tools. --json names the sources.', out.columns - 2);
  const about = basis.map((line) => `  ${out.paint('dim', line)}`);
  return `${table(rows)}\n\nThe server ${unknown}.\n\n${out.paint('bold', 'In which host')}\n${[...where, ...about].join('\n')}`;
}
