// @ts-check
/** Writes bench/RESULTS.md: the machine, the versions, and every figure with its target. */
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { writeFormatted } from '../scripts/shared/writeFormatted.mjs';

/** @typedef {ReturnType<typeof import('./harness.mjs').verdict>} Figure */

const OURS = ['waybill', '@waybill/time', '@waybill/gateway', '@waybill/cli'];
const PEERS = [
  ...['@modelcontextprotocol/client', '@modelcontextprotocol/server', '@modelcontextprotocol/node', '@modelcontextprotocol/sdk'],
  ...['@modelcontextprotocol/server-everything', '@opentelemetry/core', '@opentelemetry/sdk-trace-base', '@formatjs/intl-localematcher'],
  ...['intl-messageformat', 'negotiator', 'tough-cookie', 'chrono-node', 'temporal-polyfill', 'undici'],
];

/** @param {{ done: { title: string, figures: Figure[] }[], broken: string[], seconds: number, load: number, quick: boolean }} run */
export async function writeResults({ done, broken, seconds, load, quick }) {
  const [cpu] = cpus();
  const titles = [...new Set(done.map(({ title }) => title))];
  const text = `# Results

Written by \`npm run bench${quick ? ' -- --quick --write' : ''}\`. ${quick ? '**This was a quick run: most rows of a few per cent are not resolved by it.** ' : ''}Read the ratios: absolute times change by a factor of two from machine to machine. [README.md](README.md) says how it is measured.

| | |
| --- | --- |
| date | ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, ${seconds} s |
| machine | ${cpus().length} cores, ${cpu?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${release()} |
| load before | ${load.toFixed(2)} |
| Node.js | ${process.version} |
| ours | ${OURS.map(versioned).join(', ')} |
| peers | ${PEERS.map(versioned).join(', ')} |

The verdict is \`met\`, \`missed\`, or \`not resolved\` where the spread is wider than the distance to the target. "Once more" is a second process of the peer against the first:
1.00 would be a perfect meter.

${titles.map((title) => `## ${title}\n\n${table(done.filter((job) => job.title === title).flatMap(({ figures }) => figures))}`).join('\n\n')}
${broken.length === 0 ? '' : `\n## Could not be run\n\n${broken.map((name) => `- ${name}`).join('\n')}\n`}`;
  await writeFormatted(new URL('RESULTS.md', import.meta.url), text);
}

/** @param {Figure[]} figures */
function table(figures) {
  const lines = figures.map((figure) => {
    const { name, ours, peer, ratio, p10, p90, target, direction, verdict, against } = figure;
    const unit = figure['unit'] ?? 'µs';
    const floor = figure['floor'];
    const aim = `${direction === 'peer/ours' ? 'at least' : 'at most'} ${target}`;
    return [name, `${ours} ${unit}`, `${peer}`, against, ratio, `${p10} to ${p90}`, floor?.ratio.toFixed(3) ?? '', aim, verdict].join(
      ' | ',
    );
  });
  const head =
    '| | ours | peer | the peer | ratio | p10 to p90 | once more | wanted | verdict |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |';
  return `${head}\n${lines.map((line) => `| ${line} |`).join('\n')}`;
}

/** @param {string} name */
function versioned(name) {
  try {
    const { version } = JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8'));
    return `${name} ${version}`;
  } catch {
    return name;
  }
}
