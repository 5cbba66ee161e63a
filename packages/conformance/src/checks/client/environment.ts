/** SEP-1809 on clients: the members of the client context, and where it stands. */
import { NotApplicable } from '../../check.js';
import { at, isObject, short } from '../../wire/json.js';
import { CLIENT_CONTEXT, MODERN } from '../../wire/keys.js';
import { calls, type ClientCheck, contexts, expectSent, metaOf, questions, requests, TAKES_PART } from './trial.js';

const STAMP =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const isZone = (value: unknown): boolean => {
  if (typeof value !== 'string' || /^[+-]|^$/.test(value)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};
const isTag = (value: unknown): boolean => {
  try {
    return typeof value === 'string' && Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false;
  }
};

/** A timestamp without fractions of a second may stay the same for a second. */
const isLater = (second: unknown, first: unknown): boolean => {
  const [before, after] = [Date.parse(String(first)), Date.parse(String(second))];
  return String(second).includes('.') ? after > before : after >= before;
};

export const environmentChecks: readonly ClientCheck[] = [
  {
    id: 'environment:zone',
    proves: ['CTX-03'],
    title: 'The zone is an IANA identifier',
    faults: ['environment-offset-as-zone'],
    run: async (trial) => {
      for (const { one, value } of await contexts(trial, 'timezone')) expectSent(isZone(value), `timezone is ${short(value)}`, one);
    },
  },
  {
    id: 'environment:timestamp',
    proves: ['CTX-04'],
    title: 'The timestamp has date, time and offset',
    faults: ['environment-local-time'],
    run: async (trial) => {
      for (const { one, value } of await contexts(trial, 'currentTimestamp'))
        expectSent(typeof value === 'string' && STAMP.test(value), `currentTimestamp is ${short(value)}`, one);
    },
  },
  {
    id: 'environment:locale',
    proves: ['CTX-05'],
    title: 'The locale is a language tag',
    faults: ['environment-underscore'],
    run: async (trial) => {
      for (const { one, value } of await contexts(trial, 'locale')) expectSent(isTag(value), `locale is ${short(value)}`, one);
    },
  },
  {
    id: 'environment:location',
    proves: ['CTX-06'],
    title: 'The location has a two-letter country, texts, and coordinates within their bounds',
    faults: ['environment-country-name'],
    run: async (trial) => {
      for (const { one, value } of await contexts(trial, 'userLocation')) {
        const { country, city, region, coordinates } = isObject(value) ? value : {};
        const texts = [city, region].every((text) => text === undefined || typeof text === 'string');
        const within = (part: unknown, most: number) => part === undefined || (typeof part === 'number' && Math.abs(part) <= most);
        const placed = within(at(coordinates, 'latitude'), 90) && within(at(coordinates, 'longitude'), 180);
        const fits = texts && placed && (country === undefined || (typeof country === 'string' && /^[A-Za-z]{2}$/.test(country)));
        expectSent(isObject(value) && fits, `userLocation is ${short(value)}`, one);
      }
    },
  },
  {
    id: 'environment:carrier',
    proves: ['CTX-20'],
    title: 'The context stands in _meta, where SDKs let it through',
    faults: ['environment-beside'],
    wire: 'current',
    run: async (trial) => {
      for (const one of await requests(trial, 'environment'))
        expectSent(one.message['clientContext'] === undefined, 'clientContext stands beside params', one, 'clientContext');
    },
  },
  {
    id: 'environment:seed-carrier',
    proves: ['CTX-20'],
    title: 'The context stands beside params',
    faults: ['environment-in-meta'],
    wire: 'seed',
    run: async (trial) => {
      for (const one of await calls(trial, 'environment', 'check_meta'))
        expectSent(isObject(one.message['clientContext']), 'no clientContext stands beside params', one, 'params', '_meta', CLIENT_CONTEXT);
    },
  },
  {
    id: 'environment:arguments',
    proves: ['CTX-15'],
    title: 'The context is not among the arguments of a tool',
    faults: ['environment-in-arguments'],
    run: async (trial) => {
      for (const one of await calls(trial, 'environment', 'check_meta')) {
        const args = at(one.message, 'params', 'arguments');
        expectSent(
          Object.keys(isObject(args) ? args : {}).length === 0,
          `check_meta was called with ${short(args)}`,
          one,
          'params',
          'arguments',
        );
      }
    },
  },
  {
    id: 'environment:fresh',
    proves: ['CTX-13'],
    title: 'Each call has the timestamp of its own moment',
    faults: ['environment-old-time'],
    run: async (trial) => {
      const [first, second] = await contexts(trial, 'currentTimestamp');
      if (first === undefined || second === undefined) throw new NotApplicable('fewer than two calls carried a timestamp');
      const observed = `the first call says ${short(first.value)}, the next one ${short(second.value)}`;
      expectSent(isLater(second.value, first.value), observed, second.one);
    },
  },
  {
    id: 'environment:fresh-retry',
    proves: ['IX-14'],
    title: 'The answer to a question has the timestamp of its own moment',
    faults: ['environment-old-time'],
    revisions: [MODERN],
    run: async (trial) => {
      const legs = await questions(trial);
      const [first, second] = legs.map((one) => at(metaOf(one, CLIENT_CONTEXT) ?? one.message['clientContext'], 'currentTimestamp'));
      if (first === undefined) throw new NotApplicable('no timestamp was sent');
      expectSent(isLater(second, first), `the request says ${short(first)}, its retry ${short(second)}`, legs[1]);
    },
  },
  {
    id: 'environment:any',
    proves: ['CTX-02'],
    title: 'The context has a zone, a timestamp or a locale',
    faults: ['environment-only-location'],
    run: async (trial) => {
      const carried = (await requests(trial, 'environment')).filter((one) => TAKES_PART['environment']?.(one) === true);
      for (const one of carried) {
        const context = metaOf(one, CLIENT_CONTEXT) ?? one.message['clientContext'];
        const some = ['timezone', 'currentTimestamp', 'locale'].some((member) => at(context, member) !== undefined);
        expectSent(some, `the context is ${short(context)}`, one, 'params', '_meta');
      }
    },
  },
];
