/** Resources of the reference server: a list of two pages, and their text. */
import type { Message } from '../../wire/json.js';
import { INVALID_PARAMS } from '../../wire/keys.js';
import type { Faults } from '../reply.js';
import { Refusal, type Request } from './request.js';

const NAMES: Readonly<Record<string, string>> = { en: 'manual', de: 'anleitung', fr: 'mode-emploi' };

/** One resource on each page. */
export function resources(faults: Faults, { language, params }: Request): Message {
  const name = (faults.has('language-translates-names') && NAMES[language ?? '']) || 'manual';
  const resource = (page: number) => ({ uri: `check://${name}/${page}`, name: `${name} ${page}` });
  if (params['cursor'] === undefined) return { resources: [resource(1)], nextCursor: 'second' };
  if (params['cursor'] !== 'second') throw new Refusal(INVALID_PARAMS, 'no such cursor');
  return { resources: [resource(2)] };
}

export const text = ({ params }: Request): Message => ({ contents: [{ uri: params['uri'], text: 'Turn it on.' }] });
