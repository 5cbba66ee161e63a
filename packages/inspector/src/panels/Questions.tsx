import type { VNode } from 'preact';
import { answer, questions } from '../model.js';
import type { Question } from '../../../cli/src/inspect/protocol.js';
import { t } from '../texts.js';
import { Form, useForm } from './Form.js';

/** Questions of the server, answered here. The words are the server's own and are shown as such. */
export function Questions(): VNode {
  return (
    <div class="questions" aria-live="assertive">
      {questions.value.map((question) => (
        <QuestionOf key={question.question} question={question} />
      ))}
    </div>
  );
}

function QuestionOf({ question: { question, message, language, schema, url } }: { readonly question: Question }): VNode {
  const form = useForm(`question/${question}`, schema ?? { type: 'object' });
  return (
    <form
      class="question"
      aria-label={t('question')}
      onSubmit={(event) => {
        event.preventDefault();
        const content = form.read();
        if (content !== undefined) void answer(question, 'accept', content);
      }}
    >
      <h3>{t('question')}</h3>
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
          {t('question.send')}
        </button>
        <button type="button" onClick={() => void answer(question, 'decline')}>
          {t('question.decline')}
        </button>
      </div>
    </form>
  );
}
