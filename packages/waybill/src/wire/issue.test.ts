import { describe, expect, it } from 'vitest';
import { type Issue, setupWarnings } from './issue.js';

const setup = (key: string, problem = 'is missing; write it'): Issue => ({ side: 'setup', concern: 'meta', key, problem });

describe('without onIssue', () => {
  it('a mistake of the program is printed once for each context, with its place', () => {
    const told: string[] = [];
    const [first, second] = [setupWarnings((text) => told.push(text)), setupWarnings((text) => told.push(text))];
    for (const report of [first, first, second]) report(setup('catalogs'));
    first(setup('tools.book'));
    expect(told).toEqual([
      'waybill: catalogs: is missing; write it',
      'waybill: catalogs: is missing; write it',
      'waybill: tools.book: is missing; write it',
    ]);
  });

  it('nothing that a peer sent is printed', () => {
    const told: string[] = [];
    const report = setupWarnings((text) => told.push(text));
    report({ concern: 'environment', key: 'timezone', problem: 'is not an IANA time zone' });
    report({ side: 'peer', concern: 'environment', key: 'timezone', problem: 'is not an IANA time zone' });
    expect(told).toEqual([]);
  });

  it('64 different mistakes are printed, and no more', () => {
    const told: string[] = [];
    const report = setupWarnings((text) => told.push(text));
    for (let at = 0; at < 100; at++) report(setup(`tools.tool${at}`));
    expect(told).toHaveLength(64);
    expect(told.at(-1)).toContain('tools.tool63');
  });
});
