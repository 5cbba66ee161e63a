// The tools of the shop, the same for both SDKs. `io` is what an SDK gives a handler, in neutral names:
//   ctx                          for contextOf
//   meta                         the metadata of the request as it came
//   progress(done, of, message)  a progress notification, if the caller asked for them
//   ask(key, form)               what the user filled in, a value to return at once, or that this connection cannot ask
import { contextOf } from 'waybill/server';
import { z } from 'zod';
import { answer } from './server.answer.js';
import { CHECK_NEEDS, CHECK_TOOLS } from './server.checks.js';
import { seenState, STATE_TOOLS } from './server.state.js';
import { READS, TRADE_NEEDS, TRADE_TOOLS } from './server.trade.js';

export const INFO = { name: 'shop', version: '0.1.0', title: 'Shop' };
export const LANGUAGES = ['en', 'de', 'fr', 'zh-Hant', 'ar'];

/** The needs of tools: shown in the list, checked at every call. */
export const NEEDS = {
  needs_form: { requires: { elicitation: { form: {} } } },
  needs_sampling_tools: { requires: { sampling: { tools: {} } }, otherwise: 'plain_alternative' },
  ...TRADE_NEEDS,
  ...CHECK_NEEDS,
};

/** A text without an entry in a catalogue stays as written here. */
const COLOUR = {
  message: 'Which colour do you like?',
  requestedSchema: {
    type: 'object',
    properties: { colour: { type: 'string', title: 'Colour', description: 'Any colour you can name' } },
    required: ['colour'],
  },
};

export const TOOLS = {
  ...TRADE_TOOLS,

  context: {
    description: 'Everything a handler sees of its request',
    annotations: READS,
    run: (_args, { ctx }) => answer(seen(contextOf(ctx))),
  },

  ...STATE_TOOLS,

  range: {
    description: 'A phrase such as "last month" as exact instants in the user’s zone',
    annotations: READS,
    input: { text: z.string() },
    run: ({ text }, { ctx }) => {
      const found = contextOf(ctx).environment.range(text);
      return answer(found === undefined ? { none: true } : { start: instant(found.start), end: instant(found.end) });
    },
  },

  format: {
    description: 'A moment, a number and an amount of money as the user writes them',
    annotations: READS,
    input: { date: z.iso.datetime({ offset: true }), number: z.number(), currency: z.string().regex(/^[A-Z]{3}$/) },
    run: ({ date, number, currency }, { ctx }) => {
      const { format } = contextOf(ctx);
      const written = { date: format.dateTime(new Date(date)), number: format.number(number), currency: format.currency(number, currency) };
      return answer(written, format.list(Object.values(written)));
    },
  },

  needs_form: {
    description: 'Only for clients that can show a form',
    run: (_args, { ctx }) => {
      const { capabilities, t } = contextOf(ctx);
      return answer({ can: capabilities.can('elicitation.form') }, t('allowed'));
    },
  },
  needs_sampling_tools: {
    description: 'Only for clients that sample with tools',
    run: (_args, { ctx }) => {
      const { capabilities, t } = contextOf(ctx);
      return answer({ can: capabilities.can('sampling.tools') }, t('allowed'));
    },
  },
  plain_alternative: {
    description: 'Stands in for needs_sampling_tools',
    run: (_args, { ctx }) => answer({ plain: true }, contextOf(ctx).t('plain')),
  },

  price: {
    description: 'An amount and a moment as the user writes them; `language` asks for the answer in another language',
    annotations: READS,
    input: { count: z.number().int().min(0), language: z.string().optional() },
    run: ({ count }, { ctx }) => {
      const { environment, format, t } = contextOf(ctx);
      const until = environment.now.epochMilliseconds + 86_400_000;
      return answer({ count }, t('price', { count, sum: format.currency(count * 12.5, 'EUR'), until }));
    },
  },

  fail: {
    description: 'Fails, in the user’s language: as a result of the tool or as an error of the protocol',
    input: { kind: z.enum(['tool', 'protocol']) },
    run: ({ kind }, { ctx }) => {
      const { display } = contextOf(ctx);
      if (kind === 'protocol') throw display.error('failed', { code: 1 });
      return { ...answer({ failed: true }, display.t('failed')), isError: true };
    },
  },

  progress: {
    description: 'Reports its progress in the user’s language',
    input: { steps: z.number().int().min(0).max(100) },
    run: async ({ steps }, { ctx, progress }) => {
      const { display } = contextOf(ctx);
      for (let done = 1; done <= steps; done++) await progress(done, steps, display.t('step', { done, of: steps }));
      return answer({ steps });
    },
  },

  ask: {
    description: 'Asks the user for a colour, in the user’s language',
    run: async (_args, { ctx, ask }) => {
      const { capabilities, display, t } = contextOf(ctx);
      // A capability that a tool needs only sometimes is required at the place that needs it.
      capabilities.requireCapability('elicitation.form');
      const asked = await ask('colour', display.elicitation('colour', COLOUR));
      if (asked.impossible) return { ...answer({ colour: null }, t('failed')), isError: true };
      return asked.pending ?? answer({ colour: asked.content?.colour ?? null }, t('thanks'));
    },
  },

  ...CHECK_TOOLS,
};

export const PROMPTS = {
  greeting: {
    description: 'A greeting in the user’s language',
    run: (_args, { ctx }) => ({ messages: [{ role: 'user', content: { type: 'text', text: contextOf(ctx).t('hello') } }] }),
  },
};

export const RESOURCES = {
  terms: { uri: 'doc://terms', mimeType: 'text/plain', run: (uri, { ctx }) => document(uri, contextOf(ctx).t('terms')) },
};
export const TEMPLATES = {
  doc: {
    template: 'doc://{id}',
    mimeType: 'text/plain',
    run: (uri, { ctx }, { id }) => document(uri, contextOf(ctx).t('document', { id })),
  },
};

const document = (uri, text) => ({ contents: [{ uri, mimeType: 'text/plain', text }] });
const instant = (moment) => moment?.toInstant().toString();

/** The context as JSON. Absent values are null, so that they are visible. */
function seen({ language, environment, state, trace, capabilities, issues }) {
  const { now, timezone, locale, location, given, skew, disagrees, clock } = environment;
  return {
    language: { chosen: language.chosen, preference: language.preference?.text ?? null, matched: language.matched },
    environment: {
      ...{ now: now.text, timezone, locale, location: location ?? null },
      given: { ...given, ...(given.now && { now: given.now.text }) },
      ...{ skew: skew ?? null, disagrees, clock },
    },
    state: seenState(state),
    trace: { parent: trace.parent ?? null, carrier: trace.carrier() },
    capabilities: capabilities.declared ?? null,
    issues,
  };
}
