import type { VNode } from 'preact';
import type { SendAnswer } from '../../../cli/src/inspect/protocol.js';
import { type Block, blocksOf, textOf } from '../blocks.js';
import { Json, jsonIn, Prose } from '../Json.js';
import { t } from '../texts.js';

/** The answer as a user sees it, its language, and the whole of it as JSON. `isOld`: the context has changed since. */
export function Answer({ answer, isOld }: { readonly answer: SendAnswer; readonly isOld: boolean }): VNode {
  const { error, result, language, ms } = answer;
  const isFailure = error !== undefined || (result as { isError?: boolean } | undefined)?.isError === true;
  return (
    <section class={`answer ${isFailure ? 'failure' : ''}`} aria-live="polite">
      <h3>
        {error !== undefined ? `${t('error')} ${error.code ?? ''}` : isFailure ? t('failed') : t('result')}
        <LanguageBadge language={language} />
        {isOld && <span class="badge none">{t('answer.old')}</span>}
        <span class="quiet">{Math.round(ms)} ms</span>
      </h3>
      <div class="blocks" lang={language}>
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
        <summary>{t('answer.whole')}</summary>
        <Json value={error ?? result} />
      </details>
    </section>
  );
}

export function LanguageBadge({ language }: { readonly language: string | undefined }): VNode {
  return (
    <span class={`badge ${language === undefined ? 'none' : 'concern language'}`} title={t('answerLanguage')}>
      {language ?? t('noLanguage')}
    </span>
  );
}

/** Images are drawn from their bytes; everything else is text, also HTML. */
function BlockOf({ block }: { readonly block: Block }): VNode {
  const { role, type, mimeType, data } = block;
  const text = textOf(block);
  const json = jsonIn(text);
  return (
    <div>
      {role !== undefined && <span class="badge none">{role}</span>}
      {type === 'image' && data !== undefined && /^image\/(png|jpeg|gif|webp)$/.test(mimeType ?? '') ? (
        <img alt={t('answer.image')} src={`data:${mimeType ?? ''};base64,${data}`} />
      ) : json !== undefined ? (
        <Json value={json} />
      ) : (
        <Prose text={text} />
      )}
    </div>
  );
}
