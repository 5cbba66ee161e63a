import { runCheckCommand } from '@waybill/conformance';
import { answered } from '../answer.js';
import { exitCodes } from '../exit.js';
import { Kept, type PassedIo, printFailed } from '../passOn.js';

/** With `--json` the report is the `result` of the object that every command prints. */
export async function run(words: readonly string[], { out }: PassedIo): Promise<number> {
  if (!out.json) return runCheckCommand(words);
  const [stdout, stderr] = [new Kept(), new Kept()];
  const code = await runCheckCommand(words, { stdout, stderr, env: process.env });
  if (code !== exitCodes.done && code !== exitCodes.no) printFailed('check', code, stderr.text, out);
  else {
    const report = JSON.parse(stdout.text) as { subject: string };
    out.line(answered(code === exitCodes.done, 'check', report, { target: report.subject.replace(/^\w+ /, ''), issues: [] }));
    process.stderr.write(stderr.text);
  }
  return code;
}
