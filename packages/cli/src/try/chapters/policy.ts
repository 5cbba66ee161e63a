import { clientContext } from 'waybill/client';
import { policy as policyOf } from 'waybill/client/policy';
import { because, type Chapter, expecting } from '../chapter.js';
import { NIGHT } from '../stage.js';
import { spacedJson } from '../../table.js';

const PLACE = { city: 'Vienna', country: 'AT' };

/** The same user and the same call twice. Only the second client has a policy. */
export const policy: Chapter = {
  title: 'What the policy held back',
  show: async (stage) => {
    const { url } = await stage.shop;
    const values = { environment: { timezone: 'Europe/Vienna', locale: 'de-AT', now: NIGHT, location: PLACE } };
    const guarded = clientContext({ ...values, policy: policyOf({ default: { location: 'never' } }) });
    const [open, kept] = await Promise.all([stage.connect(url, clientContext(values)), stage.connect(url, guarded)]);
    const known = async ({ client }: typeof open): Promise<Known> => {
      const { structuredContent } = await client.callTool({ name: 'context', arguments: {} });
      const { timezone, location } = (structuredContent as { environment: Known }).environment;
      return { timezone, location };
    };
    const [without, withPolicy] = [await known(open), await known(kept)];
    const entries = await guarded.ledger.list();
    const withheld = [...new Set(entries.flatMap(({ field, outcome }) => (outcome === 'withheld' ? [field] : [])))];
    return {
      call: 'context: what the shop knows about its user; the policy says location: never',
      without: [spacedJson(without)],
      with: [spacedJson(withPolicy), `held back: ${withheld.join(', ')}`],
      because: because(kept, 'tools/call', ['environment']),
      type: [
        `echo 'default: { location: never }' > policy.yaml`,
        'waybill call context --place AT/Vienna --policy policy.yaml --preview -- waybill shop',
      ],
      problems: expecting({
        'without policy': [without, { timezone: 'Europe/Vienna', location: PLACE }],
        'with policy': [withPolicy, { timezone: 'Europe/Vienna', location: null }],
        'held back': [withheld, ['location']],
      }),
    };
  },
};

interface Known {
  readonly timezone: string;
  readonly location: unknown;
}
