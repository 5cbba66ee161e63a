import { describe, expect, it } from 'vitest';
import { isParentId, isTraceId } from '../wire/trace.js';
import { IdPool } from './ids.js';

describe('IdPool', () => {
  it('IdPool gives valid ids, none twice', () => {
    const pool = new IdPool();
    const ids = Array.from({ length: 2000 }, () => [pool.traceId(), pool.spanId()] as const);
    expect(ids.every(([trace, span]) => isTraceId(trace) && isParentId(span))).toBe(true);
    expect(new Set(ids.flat()).size).toBe(4000);
  });

  it('IdPool asks the system once for many ids', () => {
    let fills = 0;
    const pool = new IdPool((bytes) => {
      fills++;
      crypto.getRandomValues(bytes);
    });
    for (let n = 0; n < 512; n++) pool.spanId();
    expect(fills).toBe(1);
    pool.spanId();
    expect(fills).toBe(2);
  });

  it('IdPool never gives an id of zeros, which means no id', () => {
    const pool = new IdPool((bytes) => bytes.fill(0));
    expect(isTraceId(pool.traceId()) && isParentId(pool.spanId())).toBe(true);
  });
});
