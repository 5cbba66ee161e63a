/** The text of docs/reference/compatibility.md. It holds versions, counts and what was run twice. */
const counts = ({ passed, total, again = [] }) =>
  (passed === total && total > 0 ? `${passed} pass` : `**${passed} of ${total} pass**`) + (again.length > 0 ? ' ¹' : '');

/** The note below the tables. It names files that passed, or failed, only in their second run. */
function secondRuns(results) {
  const again = Object.entries(results).filter(([, result]) => result.again?.length > 0);
  if (again.length === 0) return 'Nothing needed a second run.';
  const named = again.map(([cell, result]) => `- ${cell}: ${result.again.map((name) => `\`${name}\``).join(', ')}`);
  return `¹ These failed in the first run, beside others on a busy machine, and were run once more, alone. The second run counts.\n\n${named.join('\n')}`;
}

const row = (cells) => `| ${cells.join(' | ')} |`;
const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

export function tableOf(results, { core, sdks, nodes, runtimes, compilers }) {
  const majors = Object.keys(nodes);
  const v2 = ({ client, server, core: shared, node }) =>
    client === node ? `client, server, core, node ${client}` : `client ${client}, server ${server}, core ${shared}, node ${node}`;
  const bySdk = (kind) =>
    Object.entries(sdks).map(([age, set]) => [
      `sdk ${set.sdk}`,
      v2(set),
      ...majors.map((major) => counts(results[`node${major}-${age}-${kind}`])),
    ]);
  const head = ['SDK v1', 'SDK v2', ...majors.map((major) => `Node ${nodes[major]}`)];
  return `# What Waybill was tried with

\`npm run compatibility\` writes this page. A number in bold means that something failed.

## SDKs and Node

The core journeys: real clients and servers of both SDKs, over stdio, HTTP and in memory, with the layer on either side.

${table(head, bySdk('journeys'))}

The self-check: one program with a client and a server, which checks language, environment, time, state, trace and capabilities.

${table(head, bySdk('selfcheck'))}

- The core journeys are those that use only API of the oldest versions: ${core.map((name) => `\`${name}\``).join(', ')}, in \`test/journeys\`.
  \`npm test\` runs all journeys, with the newest SDKs.
- SDK v1 before 1.23 takes schemas of zod 3 only; give it those of \`zod/v3\`.

## Other runtimes

The same self-check, with the newest SDKs.

${table(
  ['runtime', 'checks'],
  [
    [`Bun ${runtimes.bun}`, counts(results['bun'])],
    [`Deno ${runtimes.deno}`, counts(results['deno'])],
    [`workerd ${runtimes.workerd}`, counts(results['workerd'])],
    [`workerd ${runtimes.workerd} with \`nodejs_compat\``, counts(results['workerd-nodejs_compat'])],
  ],
)}

Workerd without \`nodejs_compat\` has no \`AsyncLocalStorage\`. There \`ambient: true\` is refused when the context is made, and the self-check expects that.

## TypeScript

A program that uses every entry, compiled without \`skipLibCheck\`.

${table(
  ['TypeScript', 'result'],
  Object.entries(compilers).map(([age, version]) => [version, results[`typescript-${age}`].passed === 1 ? 'compiles' : '**fails**']),
)}

## Second runs

${secondRuns(results)}
`;
}
