import { describe, expect, it } from 'vitest';
import { requireDriver } from './driver.js';

describe('the driver of sqliteStore', () => {
  it('D-33: a program without one learns of it when it makes the store, with what to install', () => {
    expect(() => requireDriver(() => false)).toThrow('npm install libsql');
  });

  it.each(['node:sqlite', 'libsql'])('%s alone is enough', (only) => {
    expect(() => requireDriver((name) => name === only)).not.toThrow();
  });

  it('is found in this workspace', () => {
    expect(() => requireDriver()).not.toThrow();
  });
});
