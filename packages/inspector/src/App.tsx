import type { VNode } from 'preact';
import { concernNames } from 'waybill/adapter';
import { connection } from './api.js';
import { Details } from './details/Details.js';
import { areDetailsOpen } from './details/tab.js';
import { reconnect } from './context.js';
import { isGateway, target } from './model.js';
import { ContextBar } from './panels/ContextBar.js';
import { Entries } from './panels/Entries.js';
import { Questions } from './panels/Questions.js';
import { Stage } from './panels/Stage.js';
import { languages, pageLanguage, speak, t, type PageLanguage } from './texts.js';

export function App(): VNode {
  if (isGateway.value)
    return (
      <>
        <Head />
        <Banner />
        <main class="feed">
          <Details />
        </main>
      </>
    );
  return (
    <>
      <Head />
      <Banner />
      <ContextBar />
      <main class={areDetailsOpen.value ? '' : 'wide'}>
        <Entries />
        <div class="centre">
          <Questions />
          <Stage />
        </div>
        <Details />
      </main>
    </>
  );
}

function Head(): VNode {
  const { title, name, address, revision, status = 'connecting' } = target.value ?? {};
  return (
    <header class="top">
      <h1>
        <Mark /> Waybill <small>{t(isGateway.value ? 'tagline.gateway' : 'tagline')}</small>
      </h1>
      <p class="target" data-status={status}>
        <span class="dot" aria-hidden="true" />
        <strong dir="auto">{title ?? name ?? ''}</strong> <span class="quiet">{[revision, address].filter(Boolean).join(' · ')}</span>{' '}
        <span class="sr">{t(`status.${status}`)}</span>
      </p>
      <button type="button" onClick={() => void reconnect().catch(() => undefined)}>
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

/** A slip of paper with the colours of the five concerns. */
function Mark(): VNode {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <rect x="2.5" y="1.5" width="15" height="17" rx="2" fill="none" stroke="currentColor" stroke-width="1.5" />
      {concernNames.map((concern, index) => (
        <rect key={concern} x="5.5" y={4 + index * 2.6} width={[9, 6, 8, 5, 7][index]} height="1.6" rx=".8" fill={`var(--${concern})`} />
      ))}
    </svg>
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
