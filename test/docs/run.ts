import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = new URL('../../', import.meta.url);

/** Compiles a file of docs/snippets and returns the path of a program, as a reader would save it: `server.mjs`. */
export function compiled(name: string, folder = `.cache/docs/${name.replace(/\/[^/]*$/, '')}/`): string {
  const code = ts.transpileModule(readFileSync(new URL(`docs/snippets/${name}`, root), 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  }).outputText;
  const target = new URL(folder + name.replace(/^.*\//, '').replace(/\.ts$/, '.mjs'), root);
  mkdirSync(new URL('./', target), { recursive: true });
  writeFileSync(target, code);
  return fileURLToPath(target);
}

export interface Program {
  readonly child: ChildProcess;
  /** The text so far, of stdout and stderr. */
  readonly said: () => string;
  readonly ended: Promise<number | null>;
}

export function start(path: string, env: Record<string, string> = {}, args: readonly string[] = []): Program {
  const cwd = path.replace(/[^/]*$/, '');
  const child = spawn(process.execPath, [path, ...args], { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
  return { child, said: () => text, ended: once(child, 'close').then(([code]) => code as number | null) };
}

/** Starts a server on a free port and returns the address it prints. */
export async function serve(path: string): Promise<Program & { readonly url: string }> {
  const program = start(path, { PORT: '0' });
  const failed = program.ended.then(() => Promise.reject(new Error(program.said())));
  failed.catch(() => undefined);
  for (;;) {
    const port = /port: (\d+)/.exec(program.said())?.[1];
    if (port !== undefined) return { ...program, url: `http://127.0.0.1:${port}/mcp` };
    await Promise.race([once(program.child.stdout!, 'data'), failed]);
  }
}
