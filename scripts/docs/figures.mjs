// The measured figures in the README, taken from bench/RESULTS.md.
import { format, resolveConfig } from 'prettier';
import { table } from './table.mjs';

/** What the README says of each figure, and what the figure is compared with. The keys are the names in bench/RESULTS.md. */
const SHOWN = {
  'client, HTTP, 32 at a time, everything sent': ['a call over HTTP: a client that sends everything', 'the bare SDK v2'],
  'server, HTTP, 32 at a time, everything touched': ['a call over HTTP: a server that reads everything', 'the bare SDK v2'],
  'language choice, first time, rfc4647, 20 tags': ['choosing a language by lookup', 'negotiator'],
  'language choice, first time, cldr, 20 tags': ['choosing a language by CLDR distance', '@formatjs/intl-localematcher'],
  'time: recognition, English': ['reading a phrase in English', 'chrono-node'],
  'time: recognition, German': ['reading a phrase in German', 'chrono-node'],
  'time: recognition, Spanish': ['reading a phrase in Spanish', 'chrono-node'],
  'gateway: HTTP to stdio, one child': ['gateway from HTTP to one stdio server', 'mcp-proxy'],
  'gateway: passing': ['gateway without rules, HTTP to HTTP', 'a bare undici proxy'],
  'gateway: all rules': ['gateway with all rules, HTTP to HTTP', 'a bare undici proxy'],
};

const PLACE = /(<!-- figures[^>]*-->\n)[^]*?(<!-- \/figures -->)/;

/** The README with the table of figures as bench/RESULTS.md has them now. */
export async function withFigures(text, results) {
  if (!PLACE.test(text)) return { text, problems: ['there is no place for the figures: <!-- figures --> … <!-- /figures -->'] };
  const rows = tableRows(results);
  const missing = Object.keys(SHOWN).filter((name) => !rows.has(name));
  if (missing.length > 0) return { text, problems: missing.map((name) => `bench/RESULTS.md has no figure ${name}`) };
  const shown = Object.entries(SHOWN).map(([name, [figure, peer]]) => {
    const { ratio, 'p10 to p90': spread, wanted, verdict } = rows.get(name);
    const measured = wanted.startsWith('at least') ? `${short(ratio)} times as fast` : `${short(ratio)} times the cost`;
    return [figure, peer, `${measured} (${spread.split(' to ').map(short).join(' to ')})`, wanted, verdict];
  });
  const figures = table(['figure', 'beside', 'measured (spread)', 'wanted', 'verdict'], shown);
  const filled = text.replace(PLACE, (whole, open, close) => `${open}\n${figures}\n\n${close}`);
  return { text: await format(filled, { ...(await resolveConfig('README.md')), parser: 'markdown' }), problems: [] };
}

/** The rows of all tables in a document that have a name in the first column, each as an object by the names of its columns. */
function tableRows(text) {
  const rows = new Map();
  let head = [];
  for (const line of text.split('\n').filter((each) => each.startsWith('|'))) {
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (cells[1] === 'ours') head = cells;
    else rows.set(cells[0], Object.fromEntries(cells.map((cell, at) => [head[at], cell])));
  }
  return rows;
}

const short = (number) => String(Number(Number(number).toPrecision(3)));
