import type { VNode } from 'preact';
import { connection } from './api.js';
import { Drawer } from './drawer/Drawer.js';
import { reconnect, target } from './model.js';
import { ContextBar } from './panels/ContextBar.js';
import { Entries } from './panels/Entries.js';
import { Questions } from './panels/Questions.js';
import { Stage } from './panels/Stage.js';
import { languages, pageLanguage, speak, t, type PageLanguage } from './texts.js';

export function App(): VNode {
  return (
    <>
      <Head />
      <Banner />
      <ContextBar />
      <main>
        <Entries />
        <Stage />
      </main>
      <Questions />
      <Drawer />
    </>
  );
}

function Head(): VNode {
  const { title, name, address, revision, status = 'connecting' } = target.value ?? {};
  return (
    <header>
      <h1>
        Waybill <small>{t('tagline')}</small>
      </h1>
      <p class="target" data-status={status}>
        <span class="dot" aria-hidden="true" />
        <strong dir="auto">{title ?? name ?? ''}</strong> <span class="quiet">{[revision, address].filter(Boolean).join(' · ')}</span>{' '}
        <span class="sr">{t(`status.${status}`)}</span>
      </p>
      <button type="button" onClick={() => void reconnect()}>
        {t('reconnect')}
      </button>
      <label>
        <span class="sr">{t('pageLanguage')}</span>
        <select value={pageLanguage.value} onChange={({ currentTarget }) => speak(currentTarget.value as PageLanguage)}>
          {Object.entries(languages).map(([tag, name]) => (
            <option key={tag} value={tag}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </header>
  );
}

/** Says what is wrong and how to go on, in one place. */
function Banner(): VNode | null {
  if (connection.value !== 'open')
    return (
      <p class="banner" role="alert">
        {t(connection.value)}
      </p>
    );
  const problem = target.value?.problem;
  if (problem === undefined) return null;
  return (
    <p class="banner" role="alert">
      <strong dir="auto">{problem.message}</strong> {problem.hint}
    </p>
  );
}
