/** Answers the questions of a server: from the file of `--answer`, or in the terminal. */
import { Failure, usage } from '../failure.js';
import { coerce, type Schema } from '../arguments/coerce.js';
import { problemsOf } from '../arguments/validate.js';
import { readJsonFile } from '../json.js';
import { clean, cleanLine } from '../output.js';
import type { Answer } from '../record/record.js';
import { type Run, textOf } from '../run.js';
import { askLine, askYesNo, canAsk } from './ask.js';

type Content = NonNullable<Answer['content']>;
interface Question {
  readonly message: string;
  readonly requestedSchema?: unknown;
  readonly url?: string;
}

export class Elicitor {
  /** Why a question could not be answered. */
  failure: Failure | undefined;
  /** Every question with its answer, for a record. */
  readonly answers: Answer[] = [];
  readonly #run: Run;
  readonly #stop: (failure: Failure) => void;
  /** Answers of a record, which go before everything else. */
  prepared: readonly Answer[] | undefined;
  #asked = 0;

  constructor(run: Run, stop: (failure: Failure) => void) {
    this.#run = run;
    this.#stop = stop;
  }

  async answer(question: Question): Promise<Answer> {
    try {
      const answer = await this.#answer(question, this.#asked++);
      this.answers.push(answer);
      return answer;
    } catch (error) {
      this.failure = error instanceof Failure ? error : new Failure('fault', String(error), undefined, error);
      this.#stop(this.failure);
      return { action: 'cancel' };
    }
  }

  async #answer(question: Question, index: number): Promise<Answer> {
    const prepared = this.prepared?.[index];
    if (prepared !== undefined) return prepared;
    const file = textOf(this.#run, 'answer');
    if (file !== undefined) return fromFile(await readJsonFile(file), file, question, index);
    if (!canAsk())
      throw new Failure('unanswered', `the server asks: ${cleanLine(question.message)}`, 'Answer in a terminal, or with --answer FILE.');
    return this.#inTerminal(question);
  }

  async #inTerminal({ message, requestedSchema, url }: Question): Promise<Answer> {
    const { out } = this.#run;
    out.note(`${out.paintNote('bold', 'The server asks:')} ${clean(message)}`);
    if (url !== undefined) {
      out.note(`  ${clean(url)}`);
      return { action: (await askYesNo('Did you open it?', this.#run)) ? 'accept' : 'decline' };
    }
    const content: Content = {};
    for (const [name, schema] of fieldsOf(requestedSchema)) {
      const value = await this.#field(name, schema, requiredIn(requestedSchema).includes(name));
      if (value === CANCELLED) return { action: 'cancel' };
      if (value !== undefined) content[name] = value as Content[string];
    }
    return { action: 'accept', content };
  }

  /** Asks until the value fits; an empty line takes the default, or leaves an optional field out. */
  async #field(name: string, schema: Schema, required: boolean): Promise<unknown> {
    const about = cleanLine([schema.title ?? name, schema.description].filter((one) => one !== undefined).join(': '));
    const choices = schema.enum === undefined ? '' : ` (${schema.enum.map(String).join(', ')})`;
    const preset = schema.default === undefined ? '' : ` [${JSON.stringify(schema.default)}]`;
    for (;;) {
      const line = await askLine(`  ${about}${clean(choices)}${clean(preset)}: `, this.#run);
      if (line === undefined) return CANCELLED;
      if (line.trim() === '' && schema.default !== undefined) return schema.default;
      if (line.trim() === '' && !required) return undefined;
      const value = coerce(line.trim(), schema, schema);
      const problems = line.trim() === '' ? ['is needed'] : problemsOf(value, schema);
      if (problems.length === 0) return value;
      this.#run.out.note(`  ${problems.join('; ')}`);
    }
  }
}

const CANCELLED = Symbol('cancelled');

const fieldsOf = (schema: unknown): [string, Schema][] => Object.entries((schema as Schema | undefined)?.properties ?? {});
const requiredIn = (schema: unknown): readonly string[] => (schema as Schema | undefined)?.required ?? [];

/** One object answers every question with the fields it has; a list has one answer for each. `{"action":"decline"}` declines. */
function fromFile(given: unknown, file: string, { message, requestedSchema }: Question, index: number): Answer {
  const one: unknown = Array.isArray(given) ? given[index] : given;
  if (one === undefined)
    throw new Failure('unanswered', `${file} has no answer number ${index + 1}, to: ${cleanLine(message)}`, 'Add one to the list.');
  if (typeof one !== 'object' || one === null) throw usage(`${file}: expected an object, or a list with one for each question`);
  if ('action' in one && typeof one.action === 'string' && ['accept', 'decline', 'cancel'].includes(one.action)) return one as Answer;
  const fields = fieldsOf(requestedSchema);
  const content = Object.fromEntries(fields.flatMap(([name]) => (Object.hasOwn(one, name) ? [[name, (one as Content)[name]]] : [])));
  const missing = requiredIn(requestedSchema).filter((name) => !Object.hasOwn(content, name));
  if (missing.length > 0) throw new Failure('unanswered', `${file} does not answer "${missing.join('", "')}", which the server asks for`);
  const problems = problemsOf(content, requestedSchema);
  if (problems.length > 0) throw usage(`${file}: ${problems.join('; ')}`);
  return { action: 'accept', content: content as Content };
}
