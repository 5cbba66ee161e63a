/** Judges how a server treats each concern, from discovery, lists and one unknown method alone. */
import type { ConcernName } from 'waybill';
import { readRequirement, ignore } from 'waybill/adapter';

/** `unknown`: only a call of a tool would show it. */
export type Verdict = 'understands' | 'ignores' | 'refuses' | 'breaks' | 'unknown';

export interface Finding {
  readonly concern: ConcernName;
  readonly verdict: Verdict;
  readonly saw: string;
  /** The fix, in plain words. */
  readonly fix?: string;
}

export interface Probed {
  /** The language that the list claims, asked for in German; `undefined` if none. */
  readonly language: string | undefined;
  /** The list without and with context says the same. */
  readonly sameNames: boolean;
  /** The list with context failed, and how. */
  readonly failure?: string;
  /** The extension that the server declares. */
  readonly extension: Readonly<Record<string, unknown>> | undefined;
  readonly tools: readonly object[];
  /** With `--call`: the issues the server's own tool reported, or how it failed. */
  readonly call?: { readonly ok: boolean; readonly said: string };
}

export function judge(probed: Probed): Finding[] {
  const { failure, extension, call } = probed;
  if (failure !== undefined)
    return (['language', 'environment', 'state', 'trace', 'capabilities'] as const).map((concern) => ({
      concern,
      verdict: /-3260[0-9]|-3202\d/.test(failure) ? 'refuses' : 'breaks',
      saw: `a list with context failed: ${failure}`,
      fix: 'Unknown keys of _meta have to be passed over. Put a gateway in front: waybill gateway.',
    }));
  const aware = extension !== undefined;
  const environment: Finding =
    call === undefined
      ? {
          concern: 'environment',
          verdict: aware ? 'understands' : 'unknown',
          saw: aware ? 'the server has Waybill' : 'only a call shows it: --call TOOL',
        }
      : { concern: 'environment', verdict: call.ok ? (aware ? 'understands' : 'ignores') : 'breaks', saw: call.said };
  return [
    languageOf(probed),
    withFix(environment, 'serverContext({ time }) reads zone and clock; for a server you cannot change, waybill gateway fills arguments.'),
    state(aware),
    trace(aware),
    capabilities(probed),
  ];
}

const withFix = (finding: Finding, fix: string): Finding => (finding.verdict === 'understands' ? finding : { ...finding, fix });

function languageOf({ language, sameNames }: Probed): Finding {
  if (!sameNames)
    return {
      concern: 'language',
      verdict: 'breaks',
      saw: 'names of tools change with the language',
      fix: 'Translate titles and descriptions, never names.',
    };
  return language?.toLowerCase().startsWith('de') === true
    ? { concern: 'language', verdict: 'understands', saw: `asked in German, the list is in ${language}` }
    : language === undefined
      ? {
          concern: 'language',
          verdict: 'ignores',
          saw: 'the list names no language',
          fix: 'serverContext({ languages, catalogs }), or catalogues in waybill gateway.',
        }
      : {
          concern: 'language',
          verdict: 'understands',
          saw: `no German; the list is in ${language}`,
          fix: 'A German catalogue would be used.',
        };
}

const state = (aware: boolean): Finding =>
  aware
    ? { concern: 'state', verdict: 'understands', saw: 'the server has Waybill' }
    : {
        concern: 'state',
        verdict: 'ignores',
        saw: 'the server keeps no state at the client',
        fix: 'defineState({ … }) keeps carts and settings at the client, also behind a load balancer.',
      };

const trace = (aware: boolean): Finding =>
  aware
    ? { concern: 'trace', verdict: 'understands', saw: 'the server has Waybill' }
    : {
        concern: 'trace',
        verdict: 'unknown',
        saw: 'a trace is accepted; whether it is continued, only its next hop shows',
        fix: 'contextOf(ctx).trace.carrier() continues it.',
      };

function capabilities({ tools }: Probed): Finding {
  const annotated = tools.filter((tool) => readRequirement(tool, ignore).required !== undefined).length;
  return annotated > 0
    ? { concern: 'capabilities', verdict: 'understands', saw: `${annotated} of ${tools.length} tools say what they need` }
    : {
        concern: 'capabilities',
        verdict: 'ignores',
        saw: 'no tool says what it needs',
        fix: 'serverContext({ tools: { book: { requires: { elicitation: { form: {} } } } } }).',
      };
}
