import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { chooseExchange, chosen, kind, progress, refreshJar, send, target, type Entry, type JsonSchema, type Kind } from '../model.js';
import { connection } from '../api.js';
import { missingOf, titleOf } from '../entry.js';
import type { SendAnswer } from '../../../cli/src/inspect/protocol.js';
import { t } from '../texts.js';
import { Compare } from './Compare.js';
import { Form, useForm } from './Form.js';
import { Answer } from './Answer.js';

const METHODS: Readonly<Record<Kind, string>> = { tools: 'tools/call', prompts: 'prompts/get', resources: 'resources/read' };
const VERBS = { tools: 'call', prompts: 'get', resources: 'read' } as const;

/** The middle of the page: one tool, prompt or resource, its form and its answer. */
export function Stage(): VNode {
  const entry = chosen.value;
  if (entry === undefined) return <article class="stage empty">{target.value?.status === 'connecting' && t('status.connecting')}</article>;
  // A key for each entry: what was typed for one stays with it while another is shown.
  return <StageOf key={`${kind.value}/${entry.name}`} entry={entry} />;
}

function StageOf({ entry }: { readonly entry: Entry }): VNode {
  const form = useForm(`${kind.value}/${entry.name}`, schemaOf(entry));
  const answer = useSignal<SendAnswer | undefined>(undefined);
  const isWaiting = useSignal(false);
  const isComparing = useSignal(false);
  const method = METHODS[kind.value];
  const paramsOf = (args: object): object => (kind.value === 'resources' ? { uri: entry.uri } : { name: entry.name, arguments: args });

  async function run(): Promise<void> {
    const args = form.read();
    if (args === undefined) return;
    isWaiting.value = true;
    // The drawer shows the newest exchange again: this call.
    chooseExchange(undefined);
    progress.value = undefined;
    try {
      answer.value = await send(method, paramsOf(args));
    } catch (error) {
      answer.value = { error: { message: connection.value === 'open' ? (error as Error).message : t(connection.value) }, ms: 0 };
    }
    isWaiting.value = false;
    await refreshJar().catch(() => undefined);
  }

  const missing = missingOf(entry);
  return (
    <article class="stage">
      <h2 dir="auto">{titleOf(entry)}</h2>
      {entry.description !== undefined && (
        <p class="quiet" dir="auto">
          {entry.description}
        </p>
      )}
      {missing !== undefined && (
        <p class="problem">
          {t('needs')} {missing}
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Form form={form} />
        <div class="actions">
          <button type="submit" class="primary" disabled={isWaiting.value}>
            {t(VERBS[kind.value])}
          </button>
          <label>
            <input
              type="checkbox"
              checked={isComparing.value}
              onChange={({ currentTarget }) => (isComparing.value = currentTarget.checked)}
            />{' '}
            {t('compare')}
          </label>
          <span aria-live="polite" class="quiet">
            {isWaiting.value && `${t('calling')} ${progress.value?.message ?? ''}`}
          </span>
        </div>
      </form>
      {answer.value !== undefined ? (
        <Answer answer={answer.value} />
      ) : (
        !isComparing.value &&
        !isWaiting.value && (
          <p class="empty">
            <strong>{t('stage.empty')}</strong>
            {t('stage.empty.how')}
          </p>
        )
      )}
      {isComparing.value && <Compare call={(over) => send(method, paramsOf(form.read() ?? {}), over)} />}
    </article>
  );
}

/** Prompts describe their arguments in a list; a form needs a schema. */
function schemaOf({ inputSchema, arguments: list = [] }: Entry): JsonSchema {
  if (inputSchema !== undefined) return inputSchema;
  const properties = Object.fromEntries(
    list.map(({ name, description }): [string, JsonSchema] => [
      name,
      { type: 'string', ...(description !== undefined && { description }) },
    ]),
  );
  return { type: 'object', properties, required: list.filter(({ required }) => required).map(({ name }) => name) };
}
