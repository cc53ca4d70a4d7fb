import { defineConfig } from 'vitest/config';

const everywhere = ['**/node_modules/**', '**/dist/**', '.cache/**', 'release/**', 'data/**'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'small',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...everywhere, '**/*.medium.test.ts', 'e2e/**'],
          testTimeout: 10_000,
        },
      },
      {
        test: {
          name: 'medium',
          include: ['**/*.medium.test.ts'],
          exclude: everywhere,
          globalSetup: ['server/test/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          env: { LOG_LEVEL: 'silent' },
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['e2e/**/*.journey.ts'],
          exclude: everywhere,
          globalSetup: ['server/test/global-setup.ts'],
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
