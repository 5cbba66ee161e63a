// Tools that `waybill check server` calls if a server lists them. Each shows one concern as a program can compare it.
import { contextOf } from 'waybill/server';
import { z } from 'zod';
import { answer } from './server.answer.js';

const instant = (moment) => moment.toInstant().toString();

const FORM = { elicitation: { form: {} } };
export const CHECK_NEEDS = {
  check_ask: { requires: FORM },
  check_both: { requires: { ...FORM, extensions: { 'com.example/paint': {} } } },
};
/** Tools whose caller may name another language in an argument. */
export const CHECK_ARGUMENTS = { check_language: 'language' };

export const CHECK_TOOLS = {
  check_language: {
    description: 'For conformance checks: says something in the language of the request, with progress, or as an error',
    input: { fail: z.boolean().optional(), steps: z.number().int().min(0).max(10).optional(), language: z.string().optional() },
    run: async ({ fail, steps = 0 }, { ctx, progress }) => {
      const { display, t } = contextOf(ctx);
      if (fail) throw display.error('failed', { code: 1 });
      for (let done = 1; done <= steps; done++) await progress(done, steps, display.t('step', { done, of: steps }));
      return { content: [{ type: 'text', text: t('thanks') }] };
    },
  },
  check_range: {
    description: 'For conformance checks: a phrase as two instants',
    input: { phrase: z.string() },
    run: ({ phrase }, { ctx }) => {
      const { start, end } = contextOf(ctx).environment.range(phrase) ?? {};
      if (start === undefined || end === undefined) return { ...answer({ none: true }), isError: true };
      return answer({ start: instant(start), end: instant(end) });
    },
  },
  check_format: {
    description: 'For conformance checks: a number as the user writes it',
    input: { number: z.number() },
    run: ({ number }, { ctx }) => answer({ text: contextOf(ctx).format.number(number) }),
  },
  check_state: {
    description: 'For conformance checks: keeps a value at the client',
    input: { name: z.string(), value: z.json() },
    run: ({ name, value }, { ctx }) => {
      const { session } = contextOf(ctx).state;
      return answer({ set: value === null ? session.delete(name) : session.set(name, value) });
    },
  },
  check_meta: {
    description: 'For conformance checks: the metadata of its own request',
    run: (_args, { meta }) => answer({ ...meta }),
  },
  check_both: {
    description: 'For conformance checks: needs two capabilities',
    run: () => answer({}),
  },
  check_ask: {
    description: 'For conformance checks: asks the user for a colour',
    run: async (_args, { ctx, ask }) => {
      const form = {
        message: 'Which colour do you like?',
        requestedSchema: { type: 'object', properties: { colour: { type: 'string' } } },
      };
      const asked = await ask('colour', contextOf(ctx).display.elicitation('colour', form));
      return asked.pending ?? answer({ colour: asked.content?.colour ?? null });
    },
  },
};
