import { defineConfig } from 'vitest/config'
import { countReporter } from './tests/kit/count-reporter.ts'
import type { SharedServers } from './tests/kit/servers/shared.ts'

// Renamed, so that no code under test picks up the server of the whole run by itself.
for (const name of ['DATABASE_URL', 'REDIS_URL']) {
  const value = process.env[name]
  if (value) process.env[`TEST_${name}`] = value
  delete process.env[name]
}

const counts = process.env.TEST_COUNTS
const noServers: { servers: SharedServers | null } = { servers: null }

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    reporters: counts ? ['default', countReporter(counts)] : ['default'],
    // The machines are noisy; what takes this long is broken, not slow.
    testTimeout: 30_000,
    hookTimeout: 120_000,
    setupFiles: ['tests/kit/orphan.ts'],
    projects: [
      {
        // Pure functions, and features on SQLite and memory: the quick loop.
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'tests/contract/races.test.ts'],
          isolate: false,
          provide: noServers,
        },
      },
      {
        extends: true,
        test: { name: 'architecture', include: ['tests/architecture/**/*.test.ts'], provide: noServers },
      },
      {
        // The features again, on a database server and Redis, and everything that needs real parts.
        extends: true,
        test: {
          name: 'servers',
          include: ['src/features/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: ['tests/architecture/**', 'tests/package/**'],
          globalSetup: ['tests/kit/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'package', include: ['tests/package/**/*.test.ts'], provide: noServers },
      },
    ],
  },
})
