/** Servers that were written without the kit, each of one proposal: it finds their mistake, blames nothing else, and judges no other proposal. */
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runCheckCommand } from '../../packages/conformance/src/index.js';
import { startCapabilities } from './fixtures/oneProposal/capabilities.mjs';
import { startEnvironment } from './fixtures/oneProposal/environment.mjs';
import { startLanguage } from './fixtures/oneProposal/language.mjs';
import { startState } from './fixtures/oneProposal/state.mjs';

interface Row {
  readonly id: string;
  readonly revision: string;
  readonly status: string;
}
type Start = (mistake?: string) => Promise<{ url: string; close: () => void }>;

async function judged(start: Start, mistake?: string): Promise<Row[]> {
  const { url, close } = await start(mistake);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  await runCheckCommand(['server', url, '--json', '--timeout', '10000'], { stdout, stderr, env: {} });
  close();
  return JSON.parse(stdout.read()?.toString() ?? 'null').requirements;
}

const broken = (rows: readonly Row[]) => rows.filter(({ status }) => status === 'fail' || status === 'warn').map(({ id }) => id);

const SERVERS: [family: string, start: Start, mistakes: Record<string, string[]>][] = [
  [
    'LANG',
    startLanguage,
    {
      'list-without-vary': ['LANG-62'],
      'error-without-vary': ['LANG-62'],
      'list-without-content-language': ['LANG-48'],
      'list-for-shared-caches': ['LANG-63'],
      'star-excludes-all': ['LANG-15'],
      'trims-the-end': ['LANG-42'],
      'token-as-text': ['TRACE-06'],
      'progress-stands-still': ['TRACE-06'],
    },
  ],
  [
    'STATE',
    startState,
    {
      'whatever-is-declared': ['STATE-13'],
      'empty-text-deletes': ['STATE-04'],
      'drops-nested-nulls': ['STATE-04'],
      'trims-names': ['STATE-04'],
      'for-caches': ['IX-09'],
      'on-public-lists': ['IX-09'],
    },
  ],
  [
    'CTX',
    startEnvironment,
    {
      'etc-by-its-sign': ['CTX-23'],
      'midnight-always': ['CTX-24'],
      'day-of-the-timestamp': ['CTX-07', 'CTX-08', 'CTX-27'],
      'end-within': ['CTX-07', 'CTX-08', 'CTX-24'],
    },
  ],
  [
    'CAP',
    startCapabilities,
    {
      'any-mode': ['BASE-16', 'CAP-20'],
      'dotted-name': ['BASE-03', 'CAP-03', 'CAP-22'],
      'state-as-object': ['BASE-14'],
      'names-no-mode': [],
    },
  ],
];

/** Rules that bind every server, whatever it takes part in, or that the check of another concern proves too. */
const EVERYWHERE = ['CTX-14', 'CTX-29', 'CAP-05', 'LANG-09', 'LANG-13'];

describe.each(SERVERS)('a server of %s alone', (family, start, mistakes) => {
  it('breaks no rule and is judged on its own proposal only', async () => {
    const rows = await judged(start);
    expect(broken(rows)).toEqual([]);
    const own = rows.filter(({ id, status }) => id.startsWith(`${family}-`) && status === 'pass');
    expect(own.length).toBeGreaterThan(3);
    const others = rows.filter(
      ({ id, status }) => /^(?:LANG|STATE|CTX|CAP)-/.test(id) && !id.startsWith(family) && status !== 'notApplicable',
    );
    expect(others.map(({ id }) => id).filter((id) => !EVERYWHERE.includes(id))).toEqual([]);
  });

  it.each(Object.entries(mistakes))('%s breaks %j and nothing else', async (mistake, rules) => {
    expect(broken(await judged(start, mistake)).sort()).toEqual([...rules].sort());
  });
});
