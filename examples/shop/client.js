#!/usr/bin/env node
// The shop's client: a scripted host. One JSON step a line on stdin, one JSON answer a line on stdout.
//   node examples/shop/client.js (--url URL | -- COMMAND [ARGUMENT]…) [options]; --help lists options, steps and exit codes
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { clientContext } from 'waybill/client';
import { problemOf } from './client.check.js';
import { Host } from './client.host.js';
import { stateOf } from './client.state.js';
import { errorOf, failed, STEPS } from './client.steps.js';

const USAGE = `Usage: node examples/shop/client.js (--url URL | -- COMMAND [ARGUMENT]…) [options]

--url URL            a server over Streamable HTTP
-- COMMAND …         a server over stdio
--sdk v1|v2          the SDK of the client (default v2)
--era 2025|2026|auto revision 2025-11-25, 2026-07-28, or what the server offers (default auto; SDK v1 speaks 2025 only)
--wire seed          the literal form of the proposals where it differs from today's protocol
--tools filter|disable|allow   what becomes of tools that need more than is declared (default filter)
--jar FILE           keeps state in this file (SQLite); an answer is printed once what it set is there. Without it: in memory
--allow-host HOST    this host may keep state, too: localhost, an address, a name no registry knows; may be given more than once
--principal NAME     whose state it is
--messages           each answer also holds the messages that crossed the wire for it

Steps, one JSON object a line. The connection is made by the first step that needs it, so that an update before it holds for it too.
${Object.entries(STEPS)
  .map(([op, { usage }]) => `  ${`{"op":"${op}"${usage}}`.padEnd(100).trimEnd()}`)
  .join('\n')}

A jar's "show" needs "server" (a name as "list" gives it, or the URL of a server that may keep state), "edit" needs "server", "name" and
"value" (null deletes; in session scope also "conversation"). A conversation's "resume" needs "id", "fork" and "end" one that was begun.

Answers, one JSON object a line and step: { "op", "result" or "error", "language", "issues", "messages" }; "language" is that of the answer,
"issues" what was reported meanwhile. An error of the server is an answer, and the next step follows.
Exit codes: 0 after the last step, 1 something failed that should not, 2 wrong usage or a step that is none or lacks something, 3 no connection,
4 the connection was lost before the last step.`;

const OPTIONS = {
  url: { type: 'string' },
  sdk: { type: 'string', default: 'v2' },
  era: { type: 'string', default: 'auto' },
  wire: { type: 'string', default: 'current' },
  tools: { type: 'string', default: 'filter' },
  jar: { type: 'string' },
  'allow-host': { type: 'string', multiple: true, default: [] },
  principal: { type: 'string' },
  messages: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
};

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const options = optionsOf(args);
  if (options.help || options.wrong !== undefined) {
    (options.help ? console.log : console.error)(options.help ? USAGE : `client: ${options.wrong}\n\n${USAGE}`);
    return options.help ? 0 : 2;
  }
  const issues = [];
  const report = (issue) => issues.push(issue);
  // This is the whole setup; the rest of the file runs the script.
  const waybill = clientContext({
    trace: 'start',
    wire: options.wire,
    tools: { unmet: options.tools },
    state: stateOf(options),
    ...(options.principal !== undefined && { principal: options.principal }),
    onIssue: report,
    onFault: (error) => report({ concern: 'meta', key: 'fault', problem: String(error) }),
  });
  const host = new Host(waybill, options);
  try {
    for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
      if (line.trim() === '') continue;
      const { answer, code } = await answerTo(line, host);
      console.log(JSON.stringify({ ...answer, issues: issues.splice(0), ...(options.messages && { messages: host.messages.splice(0) }) }));
      if (code !== undefined) return code;
    }
    return 0;
  } finally {
    await host.close();
    await waybill.jar.close();
  }
}

/** Runs one step. Returns its answer, and the exit code if nothing more can follow. */
async function answerTo(line, host) {
  let step;
  try {
    step = JSON.parse(line);
  } catch {
    return { answer: { error: { name: 'SyntaxError', message: 'the step is not JSON' } }, code: 2 };
  }
  const known = Object.hasOwn(STEPS, String(step?.op)) ? STEPS[step.op] : undefined;
  if (known === undefined)
    return { answer: { op: step?.op, error: { name: 'TypeError', message: `no step is called ${JSON.stringify(step?.op)}` } }, code: 2 };
  const { op } = step;
  const problem = problemOf(step, host);
  if (problem !== undefined) return { answer: { op, error: { name: 'TypeError', message: problem } }, code: 2 };
  try {
    if (known.needs === 'connection') await host.connect();
  } catch (error) {
    return { answer: { op, error: errorOf(error) }, code: 3 };
  }
  try {
    const answer = { op, ...(await known.run(host, step)) };
    const broken = op === 'parallel' && host.lost && answer.result.some(({ error }) => error !== undefined);
    return { answer, ...(broken && { code: 4 }) };
  } catch (error) {
    const answer = { op, ...failed(host, error) };
    return { answer, ...(host.lost && { code: 4 }) };
  }
}

function optionsOf(args) {
  // Everything after `--` is the command, even if it looks like an option.
  const end = args.indexOf('--');
  const command = end < 0 ? [] : args.slice(end + 1);
  try {
    const { values } = parseArgs({ args: end < 0 ? args : args.slice(0, end), options: OPTIONS });
    return { ...values, command, wrong: values.help ? undefined : wrong(values, command) };
  } catch (error) {
    return { wrong: error.message };
  }
}

function wrong({ url, sdk, era, wire, tools, jar, principal }, command) {
  if ((url === undefined) === (command.length === 0)) return 'expected either --url URL or -- COMMAND';
  if (url !== undefined && !URL.canParse(url)) return '--url is not a URL';
  if (jar === '') return '--jar: expected a file';
  if (principal === '') return '--principal: expected a name';
  for (const [name, value, values] of [
    ['sdk', sdk, ['v1', 'v2']],
    ['era', era, ['2025', '2026', 'auto']],
    ['wire', wire, ['current', 'seed']],
    ['tools', tools, ['filter', 'disable', 'allow']],
  ])
    if (!values.includes(value)) return `--${name}: expected one of ${values.join(', ')}`;
  return sdk === 'v1' && era === '2026' ? '--era 2026 needs --sdk v2' : undefined;
}
