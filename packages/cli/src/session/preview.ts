import type { Outcome, Run } from '../run.js';
import type { Session } from './session.js';
export async function preview(_session: Session, _request: unknown, _run: Run): Promise<Outcome> {
  throw new Error('later');
}
