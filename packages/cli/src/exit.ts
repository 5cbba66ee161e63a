/** Exit codes of the command. This is the only table of them; the names are the kinds of errors in JSON output. */
export const exitCodes = {
  /** Done. */
  done: 0,
  /** The answer is no: a check failed, a replay differs, a tool said `isError`, a catalogue is incomplete. */
  no: 1,
  /** Usage, file or arguments. */
  usage: 2,
  /** The target is unreachable, or it did not start. */
  unreachable: 3,
  /** A JSON-RPC error, or a broken protocol. */
  protocol: 4,
  timeout: 5,
  /** Needs an answer or a trust that nobody could give. */
  unanswered: 6,
  /** A fault of this program. */
  fault: 70,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type FailureKind = Exclude<keyof typeof exitCodes, 'done'>;
