/** A configuration that cannot be used: every problem with its place in the file. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

export interface Problem {
  /** The members that lead to the value. */
  readonly path: readonly (string | number)[];
  readonly text: string;
  /** The problem is the name of this member, not its value. */
  readonly member?: string;
}
