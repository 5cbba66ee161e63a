import { defineConfig } from 'vitest/config';

// These register telemetry, patch classes of the SDKs, or import programs, so each file has a process of its own.
const alone = ['test/{docs,gateway,package,third-party}/**/*.test.ts', 'test/journeys/trace*.test.ts', 'test/state/redis5.test.ts'];

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    // Vitest leaves one core to itself. These tests mostly wait for processes of their own.
    maxWorkers: 2,
    restoreMocks: true,
    unstubGlobals: true,
    projects: [
      // Files share processes: starting one for each file, and loading the SDKs there, would take longer than many of their tests.
      { extends: true, test: { name: 'units', include: ['packages/*/src/**/*.test.ts'], isolate: false } },
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.ts'], exclude: alone, isolate: false } },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
    setupFiles: ['test/support/seed.ts'],
    // A limit for what hangs, not a measure: a busy machine may be many times slower than an idle one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    env: { TZ: 'UTC' },
  },
});
