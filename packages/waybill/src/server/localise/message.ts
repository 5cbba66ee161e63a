/**
 * One message of a catalogue in ICU MessageFormat. The parser and the formatter are loaded only for a catalogue that needs them: most entries
 * are plain text.
 */
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import type { FormatPresets } from './format/presets.js';
import type { FormatSet } from './format/set.js';
import type { Fault } from './message/syntax.js';

/** Values for the placeholders of a message, by name: texts, numbers, moments, or lists of texts. */
export type MessageValues = Readonly<Record<string, unknown>>;

/** A plain text, or a function that returns the text and throws if a value is missing or does not fit its placeholder. */
export type CompiledMessage = string | ((values: MessageValues, format: FormatSet) => string);

/** The use of a placeholder in a message. */
export type PlaceholderKind = 'text' | 'number' | 'date' | 'time' | 'select' | 'plural';

export interface ParsedMessage {
  readonly elements: MessageFormatElement[];
  readonly placeholders: ReadonlyMap<string, PlaceholderKind>;
}

export interface Compiler {
  /** The parsed message, or the place where it goes wrong. */
  parse(text: string): ParsedMessage | Fault;
  compile(text: string, language: string): CompiledMessage;
}

export async function messageCompiler(presets: FormatPresets): Promise<Compiler> {
  const { compilerWith } = await import('./message/compile.js');
  return compilerWith(presets);
}

export function isFault(parsed: ParsedMessage | Fault): parsed is Fault {
  return 'problem' in parsed;
}
