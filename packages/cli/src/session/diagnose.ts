/** Starts a command once more, after it did not become a server, and looks at what it does first. */
import { spawn } from 'node:child_process';
import type { CommandTarget } from '../target/target.js';
import { tryJson } from '../tryJson.js';

interface Diagnosis {
  /** The first line on stdout, if it is no JSON. */
  readonly rubbish?: string;
  readonly stderr: string;
  /** The exit code, if it ended. */
  readonly exit?: number;
}

const LOOK = 1500;

export function diagnose({ command, args, env, cwd }: CommandTarget): Promise<Diagnosis> {
  return new Promise((resolve) => {
    const child = spawn(command, [...args], { env: env ?? process.env, stdio: 'pipe', ...(cwd !== undefined && { cwd }) });
    let [out, stderr] = ['', ''];
    const finish = (exit?: number): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      const [line = ''] = out.trimStart().split('\n');
      resolve({ stderr, ...(line !== '' && tryJson(line) === undefined && { rubbish: line }), ...(exit !== undefined && { exit }) });
    };
    const timer = setTimeout(finish, LOOK);
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (out.includes('\n')) finish();
    });
    child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-2000)));
    child.stdin.on('error', () => undefined);
    child.once('error', () => finish());
    child.once('close', (code) => finish(code ?? undefined));
  });
}
