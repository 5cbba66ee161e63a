/** The part of the Standard Schema interface (standardschema.dev) that is used: zod, valibot and arktype all have it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Verdict<Output> | Promise<Verdict<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type Verdict<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] };

export type InputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input'];
export type OutputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output'];

export function isSchema(value: unknown): value is StandardSchema {
  // Schemas of arktype are functions.
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard: unknown = (value as Partial<StandardSchema>)['~standard'];
  return typeof standard === 'object' && standard !== null && typeof (standard as { validate?: unknown }).validate === 'function';
}

/** Says what is wrong, as a sentence without its subject; never the value. */
export function schemaProblem(issues: Extract<Verdict<unknown>, { issues: readonly unknown[] }>['issues']): string {
  const path = issues[0]?.path?.map((step) => String(typeof step === 'object' && step !== null ? (step as { key: unknown }).key : step));
  return `does not fit its schema${path === undefined || path.length === 0 ? '' : ` at ${path.join('.').slice(0, 100)}`}`;
}
