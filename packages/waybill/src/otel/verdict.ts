/** The end of an exchange, in the words of the conventions. */
import { SpanStatusCode, type Attributes, type SpanStatus } from '@opentelemetry/api';
import type { Exchange } from '../transport/index.js';
import { isObject, own } from '../wire/json.js';
import { ERROR_TYPE, STATUS_CODE, TOOL_ERROR } from './names.js';
import type { Settings } from './options.js';

interface Verdict {
  /** Suits a metric too; absent if there is nothing to report. */
  readonly attributes?: Attributes;
  readonly status?: SpanStatus;
}

const FINE: Verdict = {};
const MAX_MESSAGE = 256;

/**
 * `refusal`: the error that our own layer made of a good answer. A server is not at fault for mistakes of its caller: there only internal
 * errors and the range that servers define are errors.
 */
export function verdictOf(exchange: Exchange, settings: Settings, refusal?: unknown): Verdict {
  if (refusal !== undefined) return failed(codeOf(refusal) ?? errorName(refusal), settings, messageOf(refusal));
  const { answer, sender, outcome, failure } = exchange;
  if (outcome === 'result') return isToolError(answer) ? failed(TOOL_ERROR, settings) : FINE;
  if (outcome === 'error') {
    const error = answer?.['error'];
    const code = codeOf(error) ?? '0';
    const attributes = { [STATUS_CODE]: code };
    if (sender === 'them' && !isServersFault(Number(code))) return { attributes };
    return failed(code, settings, messageOf(error), attributes);
  }
  if (outcome === 'failed') return failed(failure === undefined ? 'failed' : errorName(failure), settings);
  // A subscription has no other end than this one.
  if (exchange.method === 'subscriptions/listen' && (outcome === 'closed' || outcome === 'cancelled')) return FINE;
  return failed(outcome ?? 'closed', settings);
}

function failed(type: string, settings: Settings, message?: string, attributes: Attributes = {}): Verdict {
  const described = message !== undefined && settings.capture.has('messages') ? { message: message.slice(0, MAX_MESSAGE) } : {};
  return { attributes: { ...attributes, [ERROR_TYPE]: type }, status: { code: SpanStatusCode.ERROR, ...described } };
}

function isServersFault(code: number): boolean {
  return code === -32603 || (code >= -32099 && code <= -32000);
}

function isToolError(answer: Exchange['answer']): boolean {
  const result = answer?.['result'];
  return isObject(result) && own(result, 'isError') === true;
}

function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'number' || typeof code === 'string' ? String(code).slice(0, 64) : undefined;
}

function messageOf(error: unknown): string | undefined {
  const message = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : undefined;
  return typeof message === 'string' ? message : undefined;
}

/** Returns the class of an error, never its text. */
function errorName(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.name : typeof error);
}
