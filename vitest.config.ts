import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tools/suite/longest-first.ts';

const everywhere = ['**/node_modules/**', '**/dist/**', '.cache/**', 'release/**', 'data/**'];

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'small',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...everywhere, '**/*.medium.test.ts', 'e2e/**'],
          maxWorkers: 2,
          isolate: false,
          // What hangs is told from what is slow on a machine that others use too; how fast something is says bench/.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'medium',
          include: ['**/*.medium.test.ts'],
          exclude: everywhere,
          globalSetup: ['server/test/global-setup.ts'],
          setupFiles: ['server/test/cheap-guesses.setup.ts'],
          // As many as a small machine has processors: a third made them all wait for each other, a fifth longer in all (measured).
          maxWorkers: 2,
          // Read in once for each worker: for each file it takes longer than many of the tests. What a file starts it ends.
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
          env: { LOG_LEVEL: 'silent' },
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['e2e/**/*.journey.ts'],
          exclude: everywhere,
          globalSetup: ['server/test/global-setup.ts', 'e2e/data-template.ts'],
          setupFiles: ['e2e/flaws.setup.ts'],
          // A browser and a server each: as many as a small machine has processors. A third took as long in all, and a seventh more of them (measured).
          maxWorkers: 2,
          isolate: false,
          // What hangs is told from what is slow on a machine that others use too, which has been seen to be six times as slow as on another day.
          testTimeout: 600_000,
          hookTimeout: 400_000,
          expect: { poll: { timeout: 180_000 } },
        },
      },
    ],
  },
});
