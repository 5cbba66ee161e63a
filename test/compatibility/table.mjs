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

## Servers of others, changed by hand

On 19 November 2026 the [skill](../../skills/add-waybill/SKILL.md) was followed on three servers from npm that were not in this tree, on Node 20.

| server                      | is                                               | changed                                                                       | seen                                                                                                            |
| --------------------------- | ------------------------------------------------ | ----------------------------------------------------------------------------- | --------------------------------------------------------------------------------------------------------------- |
| time-mcp 1.0.6              | SDK v1, stdio                                    | \`current_time\` takes zone and clock from the request                        | Tokyo and a given clock in the answer; a client without Waybill gets the machine's zone, as before              |
| mcp-hello-world 1.1.2       | SDK v1, Express 4 with the old SSE transport, stdio | \`add\` writes its number for the user                                        | over SSE 1,235.5 without Waybill and 1 235,5 for \`de-AT\`                                                       |
| @upstash/context7-mcp 4.1.1 | SDK v2, Express 5 and stdio, a transport of its own | \`resolve-library-id\` and \`query-docs\` continue the trace in their HTTP calls | the caller's trace id at a local stand-in for its API, over stdio and HTTP; header and body disagree: -32020    |

## Second runs

${secondRuns(results)}
`;
}
