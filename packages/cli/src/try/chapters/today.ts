import { clientContext } from 'waybill/client';
import { because, type Chapter, expecting } from '../chapter.js';
import { NIGHT, textOf } from '../stage.js';

/** Over stdio: the server of a desktop host. */
export const today: Chapter = {
  title: 'The wrong "today" in Vienna',
  show: async (stage) => {
    const call = { name: 'today', arguments: {} };
    const context = clientContext({ language: 'de-AT', environment: { timezone: 'Europe/Vienna', locale: 'de-AT', now: NIGHT } });
    const [bare, aware] = await Promise.all([stage.connectStdio(), stage.connectStdio(context)]);
    const [without, withContext] = [await bare.client.callTool(call), await aware.client.callTool(call)];
    return {
      call: 'today, over stdio, at 00:40 on 1 November in Vienna',
      without: [textOf(without)],
      with: [textOf(withContext)],
      because: because(aware, 'tools/call', ['language', 'environment']),
      type: [`waybill call today --lang de-AT --tz Europe/Vienna --now ${NIGHT} -- waybill shop`],
      problems: expecting({
        'without context': [textOf(without), 'Today is Saturday, October 31, 2026.'],
        'with context': [textOf(withContext), 'Heute ist Sonntag, 1. November 2026.'],
      }),
    };
  },
};
