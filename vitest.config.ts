import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    // Vitest leaves one core to itself. These tests mostly wait for processes of their own.
    maxWorkers: 2,
    restoreMocks: true,
    unstubGlobals: true,
    projects: [
      // Units share a process: starting one for each file would take longer than their tests.
      { extends: true, test: { name: 'units', include: ['packages/*/src/**/*.test.ts'], isolate: false } },
      // These register telemetry and patch classes of the SDKs, so each file has a process of its own.
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.ts'] } },
    ],
    setupFiles: ['test/support/seed.ts'],
    // A limit for what hangs, not a measure: a busy machine may be many times slower than an idle one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    env: { TZ: 'UTC' },
  },
});
