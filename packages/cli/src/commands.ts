import type { CommandSpec } from './spec.js';
import { begin } from './described/begin.js';
import { examine } from './described/examine.js';
import { keep } from './described/keep.js';
import { more } from './described/more.js';
import { use } from './described/use.js';

/** Every command, under the headings of `waybill --help`. */
export const commandGroups: Readonly<Record<string, Readonly<Record<string, CommandSpec>>>> = {
  Begin: begin,
  'Use a server': use,
  'Examine it': examine,
  'What is kept and told': keep,
  More: more,
};

export const commands: Readonly<Record<string, CommandSpec>> = Object.assign({}, ...Object.values(commandGroups)) as Record<
  string,
  CommandSpec
>;
