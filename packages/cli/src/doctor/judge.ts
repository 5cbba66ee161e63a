/** Judges how a server treats each concern, from discovery, lists and one unknown method alone. */
import type { ConcernName } from 'waybill';
import { readRequirement, ignore } from 'waybill/adapter';

/** `unknown`: only a call of a tool would show it. */
type Verdict = 'understands' | 'ignores' | 'refuses' | 'breaks' | 'unknown';

export interface Finding {
  readonly concern: ConcernName;
  readonly verdict: Verdict;
  readonly saw: string;
  /** The fix, in plain words. */
  readonly fix?: string;
}

/** A failure under context. `refused`: the server answered with an error of the protocol. */
export interface FailedWith {
  readonly said: string;
  readonly refused: boolean;
}

/** The behaviour of a tool under context. `breaks`: without context it works. */
export interface Called {
  readonly outcome: 'works' | 'breaks' | 'fails anyway';
  readonly said: string;
}

export interface Probed {
  /** The language that the list claims, asked for in German; `undefined` if none. */
  readonly language: string | undefined;
  /** The list without and with context says the same. */
  readonly sameNames: boolean;
  /** The concerns under which the server fails, while it works without them. */
  readonly failures: Partial<Record<'language' | 'environment' | 'trace', FailedWith>>;
  /** The extension that the server declares. */
  readonly extension: Readonly<Record<string, unknown>> | undefined;
  readonly tools: readonly object[];
  /** With `--call`. */
  readonly call?: Called;
}

export function judge(probed: Probed): Finding[] {
  const isAware = probed.extension !== undefined;
  const found = [
    languageOf(probed),
    environmentOf(probed, isAware),
    isAware ? { concern: 'state', verdict: 'understands', saw: AWARE } : NO_STATE,
    isAware ? { concern: 'trace', verdict: 'understands', saw: AWARE } : UNSEEN_TRACE,
    capabilitiesOf(probed),
  ] satisfies Finding[];
  return found.map((finding) => {
    const failure = probed.failures[finding.concern as keyof Probed['failures']];
    return failure === undefined ? finding : failed(finding.concern, failure);
  });
}

const AWARE = 'the server has Waybill';

const failed = (concern: ConcernName, { said, refused }: FailedWith): Finding => ({
  concern,
  verdict: refused ? 'refuses' : 'breaks',
  saw: `works without it, and fails with it: ${said}`,
  fix: 'A server has to pass over keys of _meta that it does not know. Until yours does, put a gateway in front: waybill gateway.',
});

function languageOf({ language, sameNames }: Probed): Finding {
  const concern = 'language';
  if (!sameNames)
    return {
      concern,
      verdict: 'breaks',
      saw: 'names of tools change with the language',
      fix: 'Translate titles and descriptions, never names.',
    };
  if (language === undefined)
    return {
      concern,
      verdict: 'ignores',
      saw: 'the list names no language',
      fix: 'Give the server languages and catalogues: serverContext({ languages, catalogs }). Or put catalogues in front of it: waybill gateway.',
    };
  return language.toLowerCase().startsWith('de')
    ? { concern, verdict: 'understands', saw: `asked in German, the list is in ${language}` }
    : { concern, verdict: 'understands', saw: `no German; the list is in ${language}`, fix: 'A German catalogue would be used.' };
}

function environmentOf({ call }: Probed, isAware: boolean): Finding {
  const { outcome, said } = call ?? {};
  const unaware = outcome === 'works' ? 'ignores' : 'unknown';
  const verdict = outcome === 'breaks' ? 'breaks' : isAware ? 'understands' : unaware;
  const saw = said ?? (isAware ? AWARE : 'only a call shows it: --call TOOL');
  return { concern: 'environment', verdict, saw, ...(verdict !== 'understands' && { fix: ENVIRONMENT_FIX }) };
}

const ENVIRONMENT_FIX =
  'Read zone and clock in the tool: contextOf(ctx).environment. For a server that you cannot change, waybill gateway fills its arguments.';

const NO_STATE: Finding = {
  concern: 'state',
  verdict: 'ignores',
  saw: 'the server keeps no state at the client',
  fix: 'Keep carts and settings at the client, with defineState: they outlive a restart, also behind a load balancer.',
};

const UNSEEN_TRACE: Finding = {
  concern: 'trace',
  verdict: 'unknown',
  saw: 'a trace is accepted; whether it is continued, only its next hop shows',
  fix: 'Hand contextOf(ctx).trace.carrier() to everything that the tool calls.',
};

function capabilitiesOf({ tools }: Probed): Finding {
  const annotated = tools.filter((tool) => readRequirement(tool, ignore).required !== undefined).length;
  return annotated > 0
    ? { concern: 'capabilities', verdict: 'understands', saw: `${annotated} of ${tools.length} tools say what they need` }
    : {
        concern: 'capabilities',
        verdict: 'ignores',
        saw: 'no tool says what it needs',
        fix: 'Say what each tool needs: serverContext({ tools: { book: { requires: { elicitation: { form: {} } } } } }).',
      };
}
