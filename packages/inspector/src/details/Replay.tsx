import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { replay } from '../record.js';
import { t } from '../texts.js';

const replayed = signal<string | undefined>(undefined);

/** Repeats a call from a file on the current target, and says where the answer differs. */
export function Replay(): VNode {
  const run = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    replayed.value = t('calling');
    try {
      const differences = await replay(await file.text());
      replayed.value = differences.length === 0 ? t('replay.same') : `${t('replay.differs')}: ${differences.slice(0, 10).join(', ')}`;
    } catch (error) {
      replayed.value = `${t('replay.failed')}: ${(error as Error).message}`;
    }
  };
  return (
    <>
      <label class="button">
        {t('replay')}
        <input class="sr" type="file" accept=".json" onChange={({ currentTarget }) => void run(currentTarget.files?.[0])} />
      </label>
      <span role="status">{replayed.value}</span>
    </>
  );
}
