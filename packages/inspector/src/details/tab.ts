import { signal } from '@preact/signals';

/** The open tab of the details. */
export const tab = signal('wire');
export const areDetailsOpen = signal(true);
