/** The context of the flags, as the layer that is attached to a transport; and that transport. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { clientContext, type AttachOptions, type ClientContext, type ClientContextOptions } from 'waybill/client';
import type { ConsentQuestion } from 'waybill/client/policy';
import { valuesOf } from '../context/values.js';
import { usage } from '../failure.js';
import { readTextFile } from '../json.js';
import { cleanLine } from '../output.js';
import { type Run, textOf } from '../run.js';
import type { Target } from '../target/target.js';
import { askYesNo, canAsk } from './ask.js';
import { jarOf } from './jar.js';

/** `values` go before those of the flags. */
export async function makeContext(run: Run, target: Target, values: Partial<ClientContextOptions> = {}): Promise<ClientContext> {
  const state = await jarOf(run, target);
  const policy = await policyOf(run);
  const waybill = clientContext({
    ...valuesOf(run),
    ...values,
    ...(state !== undefined && { state }),
    ...(policy !== undefined && { policy }),
    tools: { unmet: 'disable' },
    onIssue: (issue) => run.about.issues.push(issue),
    onFault: (error) => run.about.issues.push({ concern: 'meta', key: 'fault', problem: String(error) }),
  });
  run.cleanup.push(async () => {
    await waybill.ledger?.flush();
    await waybill.jar?.close();
  });
  return waybill;
}

/** A field at `ask` is asked for in the terminal; without one nobody can say yes, so it is withheld. */
async function policyOf(run: Run): Promise<ClientContextOptions['policy']> {
  const file = textOf(run, 'policy');
  if (file === undefined) return undefined;
  await readTextFile(file, 'A policy is YAML or JSON: default: { location: never }');
  const { policyFile } = await import('waybill/client/node');
  try {
    return policyFile(file, canAsk() ? { ask: (question) => askConsent(question, run) } : {});
  } catch (error) {
    throw usage((error as Error).message);
  }
}

async function askConsent({ server, package: its, field, reason }: ConsentQuestion, run: Run): Promise<'once' | 'never'> {
  const why = reason === undefined ? '' : ` It says: ${cleanLine(reason)}`;
  return (await askYesNo(`May ${cleanLine(its ?? server ?? 'this server')} know your ${field}?${why}`, run)) ? 'once' : 'never';
}

/** Names the conversation and the user that the calls belong to. */
export function attachOptions(run: Run, waybill: ClientContext): AttachOptions {
  const conversation = textOf(run, 'conversation');
  const principal = textOf(run, 'principal');
  const talk = conversation === undefined ? undefined : waybill.jar?.resume(conversation, principal === undefined ? {} : { principal });
  return talk === undefined ? {} : { conversation: talk };
}

/** `fetch` is only for HTTP. */
export function transportOf(target: Target, fetch: typeof globalThis.fetch): StdioClientTransport | StreamableHTTPClientTransport {
  if (target.kind === 'http')
    return new StreamableHTTPClientTransport(target.url, {
      fetch,
      requestInit: { headers: target.headers },
      // A command ends soon; it does not wait for a stream to come back.
      reconnectionOptions: { maxRetries: 0, initialReconnectionDelay: 1, maxReconnectionDelay: 1, reconnectionDelayGrowFactor: 1 },
    });
  const { command, args, cwd } = target;
  const env = target.env ?? (process.env as Record<string, string>);
  return new StdioClientTransport({ command, args: [...args], env, stderr: 'pipe', ...(cwd !== undefined && { cwd }) });
}
