import type { Reached, RunOptions } from './checkServer.js';
export const checkClient = (_command: readonly string[], _options: RunOptions): Promise<Reached> => Promise.reject(new Error('todo'));
