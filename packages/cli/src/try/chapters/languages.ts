import { clientContext } from 'waybill/client';
import { because, type Chapter, expecting } from '../chapter.js';
import { table } from '../../table.js';
import type { Connected } from '../stage.js';

const TITLES = { en: 'What was sold', de: 'Was verkauft wurde', fr: 'Ce qui a été vendu', 'zh-Hant': '銷售情況', ar: 'ما تم بيعه' };

const titlesOf = async ({ client }: Connected): Promise<string[]> => {
  const { tools } = await client.listTools();
  return ['sales', 'calendar', 'cart'].map((name) => tools.find((tool) => tool.name === name)?.title ?? '');
};

export const languages: Chapter = {
  title: 'One list in five languages, switched in mid-connection',
  show: async (stage) => {
    const { url } = await stage.shop;
    const context = clientContext({ language: 'en' });
    const [bare, aware] = await Promise.all([stage.connect(url), stage.connect(url, context)]);
    const without = await titlesOf(bare);
    const rows: string[][] = [];
    for (const language of Object.keys(TITLES)) {
      context.update({ language });
      rows.push([language, ...(await titlesOf(aware))]);
    }
    return {
      call: 'tools/list on one connection; names stay, titles change',
      without: [without.join(' · ')],
      with: table(rows).split('\n'),
      because: because(aware, 'tools/list', ['language']),
      type: ['waybill list --lang fr -- waybill shop'],
      problems: expecting({ titles: [rows.map(([, sales]) => sales), Object.values(TITLES)] }),
    };
  },
};
