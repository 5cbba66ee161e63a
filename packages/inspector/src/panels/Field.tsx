/** The fields of the context bar. A text is sent when the user leaves the field or presses Enter; until then, and when it is refused, it is a draft. */
import type { ComponentChildren, HTMLAttributes, VNode } from 'preact';
import { changeContext, context, drafts, dropDraft, problems, type ContextField } from '../context.js';
import { t } from '../texts.js';

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly concern: string;
  readonly note?: string;
  readonly problem?: string | undefined;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

export function Field({ id, label, concern, note, problem, wide, children }: FieldProps): VNode {
  return (
    <div class={`field ${concern} ${wide === true ? 'wide' : ''}`}>
      <label for={id}>
        {label} {note !== undefined && <span class="quiet">{note}</span>}
      </label>
      {children}
      {problem !== undefined && (
        <small class="problem" role="alert" id={`${id}-problem`}>
          {problem}
        </small>
      )}
    </div>
  );
}

interface TextFieldProps extends Omit<FieldProps, 'id' | 'label' | 'children' | 'problem'> {
  readonly name: ContextField;
  readonly hint: string;
  readonly value?: string;
  readonly placeholder?: string;
  /** More attributes of the input. */
  readonly input?: HTMLAttributes<HTMLInputElement>;
  readonly onCommit?: (text: string) => void;
  /** Stands below the input. */
  readonly children?: ComponentChildren;
}

export function TextField({ name, hint, value, placeholder = t('notSent'), input, onCommit, children, ...rest }: TextFieldProps): VNode {
  const inForce = value ?? context.value?.[name as Exclude<ContextField, 'place'>] ?? '';
  const isRefused = problems.value[name] !== undefined;
  const commit = onCommit ?? ((text: string) => commitText(name, text));
  return (
    <Field id={name} label={t(name)} problem={isRefused ? t(`refused.${name}`) : undefined} {...rest}>
      <input
        id={name}
        type="text"
        name={name}
        value={drafts.value[name] ?? inForce}
        placeholder={placeholder}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={isRefused}
        {...(isRefused && { 'aria-describedby': `${name}-problem` })}
        title={hint}
        onInput={({ currentTarget }) => (drafts.value = { ...drafts.value, [name]: currentTarget.value })}
        onKeyDown={({ key }) => key === 'Escape' && dropDraft(name)}
        onChange={({ currentTarget }) => commit(currentTarget.value)}
        {...(input as object)}
      />
      {children}
    </Field>
  );
}

/** An empty field is not sent. */
export const commitText = (name: ContextField, text: string): void =>
  void changeContext({ [name]: text.trim() === '' ? undefined : text.trim() }, { field: name });
