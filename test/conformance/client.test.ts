/** Our client under the kit: both SDKs, both transports, both revisions. It runs in this process, and once as the command that a user gives. */
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CheckOutcome } from '../../packages/conformance/src/check.js';
import { runCheckCommand } from '../../packages/conformance/src/index.js';
import { checkStarted, type ClientOptions } from '../../packages/conformance/src/runner/checkClient.js';
import { carryOut } from './fixtures/client.mjs';

const none = new Set<string>();
const all = { only: none, requirement: none, expected: none, wire: 'current', timeout: 10_000 } as const;

/** Returns the rules that were judged, and those that were not kept although the client speaks the revision. */
async function check(flags: string[], options: Partial<ClientOptions>) {
  const outcomes: CheckOutcome[] = [];
  await checkStarted(
    async ({ words, env }) => {
      try {
        await carryOut([...flags, ...words], env);
        return 'ended with code 0';
      } catch (error) {
        return `ended with ${String(error)}`;
      }
    },
    { ...all, ...options, onOutcome: (outcome) => outcomes.push(outcome) },
  );
  const left = outcomes.filter(({ verdict, observed }) => verdict !== 'pass' && !/does not speak|is judged o/.test(observed));
  return { left, passed: outcomes.filter(({ verdict }) => verdict === 'pass') };
}
const places = (outcomes: readonly CheckOutcome[]) => new Set(outcomes.map(({ revision, transport }) => `${revision} ${transport}`));

describe('our client keeps every rule that applies', () => {
  it('with SDK v2, everywhere', async () => {
    const { left, passed } = await check(['--sdk', 'v2'], { expected: new Set(['language', 'environment', 'state', 'trace']) });
    expect(left).toEqual([]);
    expect(places(passed).size).toBe(4);
  });

  it('with SDK v1, in the revision it speaks', async () => {
    const { left, passed } = await check(['--sdk', 'v1'], {
      requirement: new Set(['LANG-01', 'LANG-40', 'CTX-13', 'STATE-08', 'STATE-32', 'TRACE-02']),
    });
    expect(left).toEqual([]);
    expect(places(passed)).toEqual(new Set(['2025-11-25 stdio', '2025-11-25 http']));
  });

  it('with the seed wire the environment stands beside params', async () => {
    const { left, passed } = await check(['--wire', 'seed'], { wire: 'seed', requirement: new Set(['CTX-20']) });
    expect(left).toEqual([]);
    expect(places(passed).size).toBe(4);
  });

  it('as a command', async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const client = fileURLToPath(new URL('./fixtures/client.mjs', import.meta.url));
    const words = ['client', '--json', '--strict', '--timeout', '10000', '--requirement', 'LANG-01', '--', process.execPath, client];
    expect(await runCheckCommand(words, { stdout, stderr, env: {} })).toBe(0);
    const { requirements } = JSON.parse(stdout.read()?.toString() ?? 'null');
    expect(requirements.map(({ status }: { status: string }) => status)).toEqual(['pass', 'pass', 'pass', 'pass']);
  });
});
