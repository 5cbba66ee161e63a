import { chmodSync, writeFileSync } from 'node:fs';
import type { StateChanges } from 'waybill';
import { readRequest } from 'waybill/adapter';
import { usage } from '../failure.js';
import { reasonOf } from '../json.js';
import { isOn, type Run, textOf } from '../run.js';
import type { Session } from '../session/session.js';
import { type CallRecord, comparable, contextIn, type RecordedState } from './record.js';

/** Writes the file that `--record` names. */
export function record(session: Session, request: CallRecord['request'], result: unknown, run: Run): void {
  const file = textOf(run, 'record');
  if (file === undefined) return;
  const withState = isOn(run, 'withState');
  const sent = session.tap.crossings.find(({ direction, message }) => direction === 'sent' && message['method'] === request.method);
  const { state } = readRequest(sent?.message ?? {});
  const whole: CallRecord = {
    record: 1,
    revision: session.revision,
    context: { ...contextIn(sent?.message), ...(withState && state !== undefined && { state: recorded(state) }) },
    request,
    answers: session.elicitor.answers,
    result: run.out.secrets.hideIn(comparable(result)),
    redacted: ['headers', 'trace', ...(withState ? [] : ['state'])],
  };
  try {
    writeFileSync(file, `${JSON.stringify(whole, undefined, 2)}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
  } catch (error) {
    throw usage(`${file}: ${reasonOf(error)}`);
  }
}

const recorded = ({ session, server }: StateChanges): RecordedState => ({
  ...(session !== undefined && { session: Object.fromEntries(session) }),
  ...(server !== undefined && { server: Object.fromEntries(server) }),
});
