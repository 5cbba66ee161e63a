import type { VNode } from 'preact';
import type { SendAnswer } from '../../../cli/src/inspect/protocol.js';
import { Json, Prose } from '../Json.js';
import { t } from '../texts.js';

interface Block {
  readonly type?: string;
  readonly text?: string;
  readonly mimeType?: string;
  readonly data?: string;
}

/** The answer as a user sees it, its language, and the whole of it as JSON. */
export function Answer({ answer }: { readonly answer: SendAnswer }): VNode {
  const { error, result, language, ms } = answer;
  const isFailure = error !== undefined || (result as { isError?: boolean } | undefined)?.isError === true;
  return (
    <section class={`answer ${isFailure ? 'failure' : ''}`} aria-live="polite">
      <h3>
        {error !== undefined ? `${t('error')} ${error.code ?? ''}` : isFailure ? t('failed') : t('result')}
        <span class={`badge ${language === undefined ? 'none' : 'concern language'}`} title={t('answerLanguage')}>
          {language ?? t('noLanguage')}
        </span>
        <span class="quiet">{Math.round(ms)} ms</span>
      </h3>
      <div lang={language}>
        {error !== undefined ? (
          <>
            <Prose text={error.message} />
            {error.hint !== undefined && <p>{error.hint}</p>}
          </>
        ) : (
          blocksOf(result).map((block, index) => <BlockOf key={index} block={block} />)
        )}
      </div>
      <details>
        <summary>{t('json')}</summary>
        <pre>
          <Json value={error ?? result} />
        </pre>
      </details>
    </section>
  );
}

export function blocksOf(result: unknown): readonly Block[] {
  const { content, contents, messages } = (result ?? {}) as { content?: Block[]; contents?: Block[]; messages?: { content: Block }[] };
  return content ?? contents ?? messages?.map((message) => message.content) ?? [];
}

/** Images are drawn from their bytes; everything else is text, also HTML. */
function BlockOf({ block }: { readonly block: Block }): VNode {
  const { type, text, mimeType, data } = block;
  if (type === 'image' && data !== undefined && /^image\/(png|jpeg|gif|webp)$/.test(mimeType ?? ''))
    return <img alt="" src={`data:${mimeType ?? ''};base64,${data}`} />;
  return <Prose text={text ?? JSON.stringify(block, null, 2)} />;
}
