import { describe, expect, it } from 'vitest';
import { modern, rig, type Message } from '../../../../test/support/client-rig.js';
import { ACCEPT_LANGUAGE, CONTENT_LANGUAGE } from '../wire/keys.js';
import { clientContext, languageOf, type AnswerAbout } from './index.js';

const METHODS = [
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
  'subscriptions/listen',
  'demo/own',
];

describe('the language preference', () => {
  it.each(METHODS)('LANG-01: every request carries the preference: %s', async (method) => {
    const { metaOf } = rig({ language: ['fr-CH', 'fr'] });
    expect((await metaOf(method))[ACCEPT_LANGUAGE]).toBe('fr-CH,fr;q=0.9');
    expect((await metaOf(method, modern()))[ACCEPT_LANGUAGE]).toBe('fr-CH,fr;q=0.9');
  });

  it.each([
    ['a list of tags', ['fr-CH', 'fr', 'en'], 'fr-CH,fr;q=0.9,en;q=0.8'],
    ['a text', 'fr-CA, fr;q=0.9', 'fr-CA, fr;q=0.9'],
    ['a text with blanks around', ' de ', 'de'],
    ['the platform', 'auto', 'de-AT,de;q=0.9'],
    ['a function', () => 'ja', 'ja'],
    ['a function that takes its time', () => Promise.resolve(['ja']), 'ja'],
    ['a function that gives the platform’s', () => 'auto', 'de-AT,de;q=0.9'],
    ['a function that gives nothing', () => undefined, undefined],
    ['none', null, undefined],
    ['an empty list', [], undefined],
    ['nothing said', undefined, undefined],
  ])('LANG-02: the preference may be given as %s', async (_what, language, expected) => {
    const { metaOf, issues } = rig({ language });
    expect((await metaOf('tools/list'))[ACCEPT_LANGUAGE]).toBe(expected);
    expect(issues).toEqual([]);
  });

  it('a caller’s own key beats the layer’s', async () => {
    const { metaOf } = rig({ language: 'fr' });
    expect(await metaOf('tools/call', { name: 'x', _meta: { [ACCEPT_LANGUAGE]: 'de', other: 1 } })).toMatchObject({
      [ACCEPT_LANGUAGE]: 'de',
      other: 1,
    });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('secret');
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret'))],
    ['gives no language', () => 'x;;q'],
    ['gives a number', () => 7],
  ])('a function that %s is reported, and the call goes on without a preference', async (_what, language) => {
    const { metaOf, issues } = rig({ language } as never);
    expect(await metaOf('tools/call', { name: 'x' })).not.toHaveProperty([ACCEPT_LANGUAGE]);
    expect(issues).toMatchObject([{ concern: 'language' }]);
    expect(JSON.stringify(issues)).not.toContain('secret');
  });

  it.each([
    [{ language: 'x;;' }, RangeError, /^language: /],
    [{ language: ['en', 'x_y'] }, RangeError, /^language\[1\]: /],
    [{ language: 7 }, TypeError, /^language: /],
    [{ langauge: 'en' }, TypeError, /^langauge: unknown option; did you mean language\?$/],
  ])('wrong options fail at construction and name their path: %j', (options, type, message) => {
    expect(() => clientContext(options as never)).toThrow(type);
    expect(() => clientContext(options as never)).toThrow(message);
    const { language } = options as { language?: never };
    if (language === undefined) return;
    const waybill = clientContext();
    for (const give of [
      () => waybill.update({ language }),
      () => waybill.with({ language }),
      () => waybill.run({ language }, () => undefined),
    ])
      expect(give).toThrow(message);
  });

  it('LANG-03: update() changes the preference from the next request on, and may remove it', async () => {
    const { metaOf, waybill } = rig({ language: 'fr' });
    waybill.update({ language: 'de' });
    expect((await metaOf('tools/list'))[ACCEPT_LANGUAGE]).toBe('de');
    waybill.update({ language: null });
    expect(await metaOf('tools/list')).not.toHaveProperty([ACCEPT_LANGUAGE]);
  });
});

describe('the language of an answer', () => {
  const result = (meta: Message): Message => ({ content: [], _meta: meta });
  const reports: AnswerAbout[] = [];
  const telling = { onAnswer: (about: AnswerAbout) => reports.push(about) };

  it('LANG-26: onAnswer gets the language of results, errors, progress and input-required results, or undefined if the server names none', async () => {
    reports.length = 0;
    const answers: Message[] = [
      result({ [CONTENT_LANGUAGE]: 'fr' }),
      { error: { code: -32000, message: 'non', data: { _meta: { [CONTENT_LANGUAGE]: 'fr' } } } },
      { resultType: 'input_required', inputRequests: {}, _meta: { [CONTENT_LANGUAGE]: 'de, en' } },
      result({}),
    ];
    const { ask } = rig(telling, () => answers.shift());
    for (let at = 0; at < 4; at++) await ask('tools/call');
    expect(reports).toEqual([
      { method: 'tools/call', kind: 'result', language: 'fr' },
      { method: 'tools/call', kind: 'error', language: 'fr' },
      { method: 'tools/call', kind: 'input-required', language: 'de, en' },
      { method: 'tools/call', kind: 'result', language: undefined },
    ]);
  });

  it('LANG-24: a progress report has its own language, while the call is open', async () => {
    reports.length = 0;
    const { transport, say } = rig(telling, () => undefined);
    await transport.send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'x', _meta: { progressToken: 5 } } });
    say({ method: 'notifications/progress', params: { progressToken: 5, progress: 1, _meta: { [CONTENT_LANGUAGE]: 'fr' } } });
    say({ method: 'notifications/progress', params: { progressToken: 6, progress: 1, _meta: { [CONTENT_LANGUAGE]: 'fr' } } });
    expect(reports).toEqual([{ method: 'tools/call', kind: 'progress', language: 'fr' }]);
  });

  it.each([
    ['a result', { _meta: { [CONTENT_LANGUAGE]: 'fr' } }, 'fr'],
    ['an elicitation', { params: { _meta: { [CONTENT_LANGUAGE]: 'fr' } } }, 'fr'],
    ['an error', Object.assign(new Error('x'), { data: { _meta: { [CONTENT_LANGUAGE]: 'fr' } } }), 'fr'],
    ['nothing', {}, undefined],
    ['no object', 'x', undefined],
    ['rubbish', { _meta: { [CONTENT_LANGUAGE]: 7 } }, undefined],
  ])('languageOf reads %s', (_what, answer, expected) => {
    expect(languageOf(answer)).toBe(expected);
  });

  it('each question of an input-required result carries its language', async () => {
    const question = {
      colour: { method: 'elicitation/create', params: { message: 'Quelle couleur ?' } },
      odd: 7,
      named: { method: 'x', params: { _meta: { [CONTENT_LANGUAGE]: 'de' } } },
    };
    const { ask } = rig({}, () => ({ resultType: 'input_required', inputRequests: question, _meta: { [CONTENT_LANGUAGE]: 'fr' } }));
    const { result: got } = await ask('tools/call');
    expect(languageOf(got.inputRequests.colour)).toBe('fr');
    expect(languageOf(got.inputRequests.colour.params)).toBe('fr');
    expect(languageOf(got.inputRequests.named)).toBe('de');
    expect(got.inputRequests.odd).toBe(7);
  });

  it('an error loses the language in its data if the SDK would not recognise it otherwise', async () => {
    const missing = { code: -32602, message: 'Introuvable', data: { uri: 'note://x', _meta: { [CONTENT_LANGUAGE]: 'fr' } } };
    const other = { code: -32602, message: 'Non', data: { uri: 'note://x', why: 1, _meta: { [CONTENT_LANGUAGE]: 'fr' } } };
    const answers = [{ error: missing }, { error: other }];
    const { ask } = rig({}, () => answers.shift());
    const { error } = await ask('resources/read');
    expect(error).toEqual({ code: -32602, message: 'Introuvable', data: { uri: 'note://x' } });
    expect(languageOf({ message: 'Introuvable', data: { uri: 'note://x' } })).toBe('fr');
    expect((await ask('resources/read')).error).toEqual(other);
  });

  it('an error that the SDK rebuilds from parts of its data still has its language', async () => {
    const requiredCapabilities = { roots: {} };
    const { ask } = rig({}, () => ({
      error: { code: -32021, message: 'Il manque', data: { requiredCapabilities, _meta: { [CONTENT_LANGUAGE]: 'fr' } } },
    }));
    const { error } = await ask('tools/call');
    expect(languageOf({ message: 'rebuilt', data: { requiredCapabilities: error.data.requiredCapabilities } })).toBe('fr');
    expect(languageOf({ message: 'rebuilt', data: { requiredCapabilities: { roots: {} } } })).toBeUndefined();
  });

  it.each([7, 'x_y', {}, null])('a malformed language is reported and breaks nothing: %j', async (rubbish) => {
    const { ask, issues } = rig({}, () => result({ [CONTENT_LANGUAGE]: rubbish, other: 1 }));
    expect((await ask('tools/call')).result._meta).toEqual({ [CONTENT_LANGUAGE]: rubbish, other: 1 });
    expect(issues).toMatchObject([{ concern: 'language', key: CONTENT_LANGUAGE }]);
  });
});

describe('an HTTP answer', () => {
  /** Works like the SDKs' transports: posts the body through `_fetch` and delivers what the answer holds. */
  function overHttp(
    meta: Message,
    header: string | undefined,
    type = 'application/json',
  ): { ask: () => Promise<Message>; issues: unknown[] } {
    const issues: unknown[] = [];
    const waybill = clientContext({ onIssue: (issue) => issues.push(issue), language: 'fr' });
    const transport: any = {
      finishAuth: () => undefined,
      _url: new URL('https://a.example/mcp'),
      _fetch: (_url: URL, init: RequestInit) => {
        const { id } = JSON.parse(init.body as string) as { id: number };
        const headers = { 'content-type': type, ...(header !== undefined && { 'content-language': header }) };
        return Promise.resolve(new Response(JSON.stringify({ jsonrpc: '2.0', id, result: { _meta: meta } }), { headers }));
      },
      async send(message: Message) {
        transport.onmessage(await (await transport._fetch(this._url, { method: 'POST', body: JSON.stringify(message) })).json());
      },
      close: () => Promise.resolve(),
    };
    waybill.attach(transport);
    const ask = async (): Promise<Message> => {
      let got: Message = {};
      transport.onmessage = (message: Message) => (got = message);
      await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' });
      return got;
    };
    return { ask, issues };
  }
  const FR = { [CONTENT_LANGUAGE]: 'fr' };

  it.each([
    ['both equal', FR, 'fr', 'application/json', 'ok', 0],
    ['both different', FR, 'de', 'application/json', 'malformed', 1],
    ['different in case', FR, 'FR', 'application/json', 'malformed', 1],
    ['different on a stream', FR, 'de', 'text/event-stream', 'malformed', 1],
    ['no header: this breaks LANG-48, and the body counts', FR, undefined, 'application/json', 'ok', 1],
    ['no header on a stream', FR, undefined, 'text/event-stream', 'ok', 0],
    ['only a header', {}, 'fr', 'application/json', 'ok', 0],
    ['neither', {}, undefined, 'application/json', 'ok', 0],
  ])(
    'LANG-49: an answer whose header and body disagree is malformed, and neither counts: %s',
    async (_what, meta, header, type, verdict, warnings) => {
      const { ask, issues } = overHttp(meta, header, type);
      const answer = await ask();
      if (verdict === 'ok') expect(answer).toEqual({ jsonrpc: '2.0', id: 1, result: { _meta: meta } });
      else
        expect(answer).toMatchObject({
          error: {
            code: -32603,
            message: expect.stringContaining('Malformed response'),
            data: { header: 'Content-Language', headerValue: header, metaValue: 'fr', hint: expect.any(String) },
          },
        });
      expect(issues.length).toBe(warnings);
    },
  );
});

describe('a wrong language', () => {
  it.each([
    ['!!', /^language: expected an Accept-Language value, got "!!"$/],
    [['en', '!!'], /^language\[1\]: expected a BCP 47 language tag, got "!!"$/],
    ['german', /^language: expected a BCP 47 language tag, got "german"; did you mean de\?$/],
    [['en', 'french'], /^language\[1\]: expected a BCP 47 language tag, got "french"; did you mean fr\?$/],
    ['en, german;q=0.5', /got "german"; did you mean de\?$/],
  ])('a wrong language throws once and names its path: %j', (language, message) => {
    expect(() => clientContext({ language })).toThrow(message);
  });
});
