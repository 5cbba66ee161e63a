import type { OptionGroup, OptionSpec } from './options.js';
import type { PassedOn } from './passOn.js';
import type { Command } from './run.js';

/** One command as data: help, completion, and the test that runs every example use it. */
export interface CommandSpec {
  readonly about: string;
  /** The words after the name. */
  readonly words: string;
  readonly groups: readonly OptionGroup[];
  readonly options?: readonly OptionSpec[];
  readonly details?: string;
  readonly examples: readonly string[];
  /** Words that may stand first, for completion. */
  readonly actions?: readonly string[];
  /** The package that has this command reads the words after the name, prints by itself and returns the exit code. */
  readonly pass?: () => Promise<PassedOn>;
  /** Each command is imported when it is used: the command starts as fast as `--help` does. */
  readonly load?: () => Promise<{ readonly run: Command }>;
}

export const TARGET = `TARGET is a URL, FILE:NAME for a server of a host's file, or the name of a server that "waybill servers" lists. With "-- COMMAND …" at the end there is no TARGET word: the server is that command.`;

export const ARGS = `ARGS: name=value (read as the tool's schema says), name:=JSON, one JSON object, @FILE, or - for stdin. Single names win over objects.`;
