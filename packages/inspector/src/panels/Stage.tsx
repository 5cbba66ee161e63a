import { batch } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { compareTask } from '../comparison.js';
import { areDetailsOpen } from '../details/tab.js';
import { contextVersion } from '../context.js';
import { chosen, kind } from '../lists.js';
import { progress, target } from '../model.js';
import { missingOf, schemaOf, titleOf, type Entry } from '../entry.js';
import { formOf } from '../formState.js';
import { callTask, type Task, taskOf } from '../task.js';
import { t } from '../texts.js';
import { Answer } from './Answer.js';
import { Compare } from './Compare.js';
import { focusProblem, Form } from './Form.js';

const VERBS = { tools: 'call', prompts: 'get', resources: 'read' } as const;

/** The middle of the page: one tool, prompt or resource, its form and its answer. */
export function Stage(): VNode {
  const entry = chosen.value;
  if (entry === undefined) return <article class="stage empty">{target.value?.status === 'connecting' && t('status.connecting')}</article>;
  return <StageOf key={`${kind.value}/${entry.name}`} entry={entry} />;
}

function StageOf({ entry }: { readonly entry: Entry }): VNode {
  const form = formOf(`${kind.value}/${entry.name}`, schemaOf(entry));
  const task = taskOf(kind.value, entry, form);
  const missing = missingOf(entry);
  const version = contextVersion.value;
  const isComparing = task.isComparing.value;
  const hasNoContext = task.compared.value.names.length === 0;
  // The answer follows the context, if the user wants that: only a call that changes nothing is repeated by itself.
  const { answer, isLive, stop } = task;
  const isIdle = stop.value === undefined;
  useEffect(() => {
    const isOld = answer.value !== undefined && answer.value.version < version;
    if (isOld && isLive.value && isIdle && missing === undefined) void callTask(task);
    // The context may have changed during a call: then its answer is old when it arrives.
  }, [version, isIdle]);
  return (
    <article class="stage">
      <h2 dir="auto">{titleOf(entry)}</h2>
      {entry.description !== undefined && (
        <p class="quiet description" dir="auto">
          {entry.description}
        </p>
      )}
      {missing !== undefined && (
        <p class="needs">
          {t('needs')} {missing}
        </p>
      )}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void (task.isComparing.value ? compareTask(task) : callTask(task));
          focusProblem(event.currentTarget);
        }}
      >
        <Form form={form} />
        <div class="actions">
          <button type="submit" class="primary" disabled={task.stop.value !== undefined || (isComparing && hasNoContext)}>
            {t(isComparing ? 'compare.run' : VERBS[kind.value])}
          </button>
          {task.stop.value !== undefined && (
            <button type="button" onClick={() => task.stop.value?.abort()}>
              {t('stop')}
            </button>
          )}
          {!isComparing && (
            <Switch title={t('live.hint')} isOn={task.isLive.value} onFlip={(isOn) => (task.isLive.value = isOn)}>
              {t('live')}
            </Switch>
          )}
          <Switch title={t('compare.hint')} isOn={task.isComparing.value} onFlip={(isOn) => compare(task, isOn)}>
            {t('compare')}
          </Switch>
          <Waiting task={task} />
        </div>
      </form>
      {isComparing ? <Compare task={task} /> : <AnswerOf task={task} />}
    </article>
  );
}

interface SwitchProps {
  readonly title: string;
  readonly isOn: boolean;
  readonly onFlip: (isOn: boolean) => void;
  readonly children: string;
}

function Switch({ title, isOn, onFlip, children }: SwitchProps): VNode {
  return (
    <label title={title}>
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onFlip(currentTarget.checked)} /> {children}
    </label>
  );
}

/** Four columns need the room of the details. */
function compare(task: Task, isOn: boolean): void {
  batch(() => {
    task.isComparing.value = isOn;
    areDetailsOpen.value = !isOn;
  });
}

function Waiting({ task }: { readonly task: Task }): VNode {
  const { message = '', progress: done, total } = progress.value ?? {};
  return (
    <span aria-live="polite" class="quiet">
      {task.stop.value !== undefined && (
        <>
          {t('calling')} <span dir="auto">{message}</span>{' '}
          {done !== undefined && <progress aria-label={t('calling')} {...(total !== undefined && { value: done, max: total })} />}
        </>
      )}
    </span>
  );
}

function AnswerOf({ task: { answer, stop } }: { readonly task: Task }): VNode | null {
  if (answer.value !== undefined) return <Answer answer={answer.value} isOld={answer.value.version < contextVersion.value} />;
  if (stop.value !== undefined) return null;
  return (
    <p class="empty">
      <strong>{t('stage.empty')}</strong>
      {t('stage.empty.how')}
    </p>
  );
}
