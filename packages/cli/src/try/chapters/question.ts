import { clientContext } from 'waybill/client';
import { because, type Chapter, expecting } from '../chapter.js';
import { type Connected, textOf } from '../stage.js';

const offers = async ({ client }: Connected): Promise<boolean> => (await client.listTools()).tools.some(({ name }) => name === 'book');

export const question: Chapter = {
  title: 'A tool that appears when the client can answer its question',
  show: async (stage) => {
    const options = { flags: ['--filter', 'declared'] };
    const bare = await stage.connectStdio(undefined, options);
    const aware = await stage.connectStdio(clientContext({ language: 'en' }), {
      ...options,
      capabilities: { elicitation: { form: {} } },
      answer: { guests: 4 },
    });
    const [missing, offered] = [!(await offers(bare)), await offers(aware)];
    const refused = await bare.client.callTool({ name: 'book', arguments: {} }).then(textOf, (error: unknown) => (error as Error).message);
    const booked = textOf(await aware.client.callTool({ name: 'book', arguments: {} }));
    return {
      call: 'tools/list, and a call of "book", which asks for how many',
      without: [missing ? 'book is not in the list' : 'book is in the list', `called anyway: ${refused}`],
      with: [offered ? 'book is in the list' : 'book is not in the list', `called, asked, answered 4: ${booked}`],
      because: because(aware, 'tools/list', ['capabilities']),
      type: ['waybill call book -- waybill shop'],
      problems: expecting({
        'not offered without': [missing, true],
        offered: [offered, true],
        booked: [booked, 'A table for 4 is booked.'],
      }),
    };
  },
};
