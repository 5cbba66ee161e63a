import { describe, expect, it } from 'vitest';
import { CLIENT_CAPABILITIES, OWN_CLIENT_CAPABILITIES } from '../../wire/keys.js';
import { withState } from './redeclare.js';

describe('withState', () => {
  const request = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params }) as never;

  it('STATE-01, STATE-37: withState adds the state capability to initialize, or removes it', () => {
    const params = { capabilities: { roots: {}, state: {} }, clientInfo: {} };
    expect(withState(request('initialize', params), false)).toMatchObject({ params: { capabilities: { roots: {} } } });
    expect(withState(request('initialize', params), false)['params']).not.toHaveProperty('capabilities.state');
    expect(withState(request('initialize', { capabilities: {} }), true)).toMatchObject({ params: { capabilities: { state: {} } } });
  });

  it('STATE-01, STATE-37: withState changes every key of _meta that declares capabilities, and adds no such key', () => {
    for (const key of [CLIENT_CAPABILITIES, OWN_CLIENT_CAPABILITIES]) {
      const declared = withState(request('tools/call', { name: 'x', _meta: { [key]: { roots: {} } } }), true);
      expect(declared['params']).toEqual({ name: 'x', _meta: { [key]: { roots: {}, state: {} } } });
    }
    expect(withState(request('tools/call', { name: 'x', capabilities: { mine: true } }), true)['params']).toEqual({
      name: 'x',
      capabilities: { mine: true },
    });
  });
});
