/** The context that flags describe, as options of `clientContext`. */
import { keys, type JsonObject } from 'waybill';
import { parseTraceparent } from 'waybill/adapter';
import type { ClientContextOptions, EnvironmentInput } from 'waybill/client';
import { usage } from '../failure.js';
import { listOf, type Run, textOf } from '../run.js';
import { checkCapabilities, checkLanguages, checkLocale, checkNow, checkPlace, checkZone, firstTag, unknownCapabilities } from './check.js';

/** The capabilities of this command: it can answer a form, in the terminal or from a file. */
const OWN_CAPABILITIES = ['elicitation.form'];

/** `none` sends nothing, `auto` what this machine says. */
function given<T>(text: string | undefined, check: (text: string) => T): T | null | 'auto' | undefined {
  if (text === undefined || text === 'auto') return text;
  return text === 'none' ? null : check(text);
}

/** Without `--locale`, numbers and dates follow `--lang`: the formats of this machine would belong to another user. */
function localeOf(language: string | null | undefined): string | undefined {
  return language === undefined || language === null || language === 'auto' ? undefined : firstTag(language);
}

export function valuesOf(run: Pick<Run, 'options'>): Pick<ClientContextOptions, 'language' | 'environment' | 'trace' | 'principal'> {
  const environment: { -readonly [K in keyof EnvironmentInput]: EnvironmentInput[K] } = {};
  const timezone = given(textOf(run, 'tz'), checkZone);
  const language = given(textOf(run, 'lang'), checkLanguages);
  const locale = textOf(run, 'locale') === undefined ? localeOf(language) : given(textOf(run, 'locale'), checkLocale);
  // Without a zone there is no clock either: servers would take its offset for the zone.
  const now = given(textOf(run, 'now') ?? (timezone === null ? 'none' : undefined), checkNow);
  const location = given(textOf(run, 'place'), checkPlace);
  if (timezone !== undefined) environment.timezone = timezone;
  if (locale !== undefined) environment.locale = locale;
  if (now !== undefined) environment.now = now;
  if (location !== undefined && location !== 'auto') environment.location = location;
  const trace = traceOf(textOf(run, 'trace'));
  const principal = textOf(run, 'principal');
  if (principal === '') throw usage('--principal: expected a name');
  return {
    ...(language !== undefined && { language }),
    environment,
    ...(trace !== undefined && { trace }),
    ...(principal !== undefined && { principal }),
  };
}

export function capabilitiesOf(run: Pick<Run, 'options' | 'about'>): JsonObject {
  const names = listOf(run, 'capability');
  for (const { name, hint } of unknownCapabilities(names))
    run.about.issues.push({
      concern: 'capabilities',
      key: '--capability',
      side: 'setup',
      problem: `${name} is no capability of the protocol${hint === undefined ? '' : `. ${hint}`}`,
    });
  return checkCapabilities(names.length > 0 ? names : OWN_CAPABILITIES) as JsonObject;
}

function traceOf(text: string | undefined): string | undefined {
  if (text === undefined || text === 'start' || parseTraceparent(text) !== undefined) return text;
  throw usage(
    `--trace: expected start or a ${keys.TRACEPARENT}`,
    'It looks like this: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  );
}
