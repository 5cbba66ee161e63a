import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { answer, questions } from '../model.js';
import type { Question } from '../../../cli/src/inspect/protocol.js';
import { t } from '../texts.js';
import { argumentsOf, formOf } from '../formState.js';
import { focusProblem, Form } from './Form.js';

/** Questions of the server, answered here. The words are the server's own and are shown as such. */
export function Questions(): VNode {
  const place = useRef<HTMLDivElement>(null);
  const { length } = questions.value;
  // A call waits for the answer, so the question takes the focus, unless the user is typing.
  useEffect(() => {
    if (length > 0 && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? ''))
      place.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
  }, [length]);
  return (
    <div class="questions" aria-live="assertive" ref={place}>
      {questions.value.map((question) =>
        question.consent === undefined ? (
          <QuestionOf key={question.question} question={question} />
        ) : (
          <ConsentOf key={question.question} question={question} />
        ),
      )}
    </div>
  );
}

const CONSENTS = ['once', 'always', 'never'] as const;

function ConsentOf({ question: { question, message, consent } }: { readonly question: Question }): VNode {
  const { server, field, precision } = consent ?? {};
  return (
    <section class="question" aria-label={t('consent')}>
      <h2>{t('consent')}</h2>
      <p>
        <code>{server ?? t('consent.nobody')}</code> · <strong>{field}</strong> {precision}
      </p>
      {message !== '' && (
        <>
          <p class="quiet">{t('consent.reason')}</p>
          <blockquote dir="auto">{message}</blockquote>
        </>
      )}
      <div class="actions">
        {CONSENTS.map((action) => (
          <button type="button" key={action} onClick={() => void answer(question, action)}>
            {t(`consent.${action}`)}
          </button>
        ))}
      </div>
    </section>
  );
}

function QuestionOf({ question: { question, message, language, schema, url } }: { readonly question: Question }): VNode {
  const form = formOf(`question/${question}`, schema ?? { type: 'object' });
  return (
    <form
      class="question"
      aria-label={t('question')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const content = argumentsOf(form);
        if (content === undefined) focusProblem(event.currentTarget);
        else void answer(question, 'accept', url === undefined ? content : undefined);
      }}
    >
      <h2>{t('question')}</h2>
      <blockquote dir="auto" lang={language}>
        {message}
      </blockquote>
      {url !== undefined ? (
        <p>
          {t('question.open')}: <code>{url}</code>
        </p>
      ) : (
        <Form form={form} />
      )}
      <div class="actions">
        <button type="submit" class="primary">
          {t(url === undefined ? 'question.send' : 'question.opened')}
        </button>
        <button type="button" onClick={() => void answer(question, 'decline')}>
          {t('question.decline')}
        </button>
        <button type="button" class="plain" title={t('question.cancel.hint')} onClick={() => void answer(question, 'cancel')}>
          {t('question.cancel')}
        </button>
      </div>
    </form>
  );
}
