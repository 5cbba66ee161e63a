/** Binding rules that no check judges, each with the reason, so that nothing is silently missing. */

export interface Unchecked {
  readonly reason: string;
  readonly ids: readonly string[];
}

export const UNCHECKED: readonly Unchecked[] = [
  {
    reason: 'It happens inside the subject, and no message shows it.',
    ids: ['CTX-28', 'TRACE-07', 'TRACE-13', 'CAP-14', 'IX-16', 'IX-17'],
  },
  {
    reason: 'Whether it is kept depends on what the user allowed, which the kit cannot know.',
    ids: ['LANG-12', 'CTX-30'],
  },
  {
    reason: 'It needs a server with a public domain name, and the kit stays on this machine. The vectors have cases of hosts.',
    ids: ['STATE-31', 'STATE-38', 'STATE-41'],
  },
  {
    reason: 'It needs a client with several users, and no step can tell a client who its user is.',
    ids: ['STATE-40'],
  },
];
