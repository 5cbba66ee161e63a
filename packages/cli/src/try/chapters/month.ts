import { clientContext } from 'waybill/client';
import { because, type Chapter, expecting } from '../chapter.js';
import { NIGHT } from '../stage.js';
import { table } from '../../table.js';

const CITIES = [
  ['Vienna', 'Europe/Vienna', 'de-AT', 'letzten Monat', '2026-09-30T22:00:00.000Z'],
  ['Los Angeles', 'America/Los_Angeles', 'en-US', 'last month', '2026-09-01T07:00:00.000Z'],
  ['São Paulo', 'America/Sao_Paulo', 'pt-BR', 'mês passado', '2026-09-01T03:00:00.000Z'],
  ['Tokyo', 'Asia/Tokyo', 'ja-JP', '先月', '2026-09-30T15:00:00.000Z'],
] as const;

interface Sales {
  readonly start: string;
  readonly end: string;
  readonly total: number;
}

/** Month, day and minute: the year is the same everywhere. */
const moment = (instant: string): string => `${instant.slice(5, 10)} ${instant.slice(11, 16)}`;

export const month: Chapter = {
  title: '"Last month" from four cities',
  show: async (stage) => {
    const { url } = await stage.shop;
    const sales = async (client: { callTool(call: object): Promise<unknown> }, period: string): Promise<Sales> => {
      const { structuredContent } = (await client.callTool({ name: 'sales', arguments: { period } })) as { structuredContent: Sales };
      return structuredContent;
    };
    const line = (city: string, period: string, { start, end, total }: Sales): string[] => [
      city,
      period,
      moment(start),
      moment(end),
      `€${total.toFixed(2)}`,
    ];
    const bare = await stage.connect(url);
    const guess = await sales(bare.client, 'last month');
    const context = clientContext({ environment: { now: NIGHT } });
    const aware = await stage.connect(url, context);
    const found: Sales[] = [];
    for (const [, timezone, locale, period] of CITIES) {
      context.update({ language: locale, environment: { timezone, locale, now: NIGHT } });
      found.push(await sales(aware.client, period));
    }
    return {
      call: 'sales of "last month", over HTTP, asked at the same moment; from and to in UTC',
      without: [`everybody: ${moment(guess.start)} to ${moment(guess.end)}, €${guess.total.toFixed(2)}`],
      with: table(CITIES.map(([city, , , period], at) => line(city, period, found[at] ?? guess))).split('\n'),
      because: because(aware, 'tools/call', ['environment']),
      type: [`waybill compare sales "period=last month" --as vienna --as tokyo --now ${NIGHT} -- waybill shop`],
      problems: expecting({
        'the guess of the server': [guess.start, '2026-09-01T00:00:00.000Z'],
        ...Object.fromEntries(CITIES.map(([city, , , , due], at) => [city, [found[at]?.start, due]] as const)),
      }),
    };
  },
};
