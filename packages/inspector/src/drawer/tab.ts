import { signal } from '@preact/signals';

/** The open tab of the drawer. */
export const tab = signal('wire');
export const isDrawerOpen = signal(true);
