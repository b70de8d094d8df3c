import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { countReporter } from './tests/kit/count-reporter.ts'
import { LongestFirst } from './tests/kit/sequence.ts'
import { divideByServers } from './tests/kit/server-tests.ts'
import type { SharedServers } from './tests/kit/servers/shared.ts'
import { slowestReporter } from './tests/kit/slowest-reporter.ts'

// Renamed, so that no code under test picks up the server of the whole run by itself.
for (const name of ['DATABASE_URL', 'REDIS_URL']) {
  const value = process.env[name]
  if (value) process.env[`TEST_${name}`] = value
  delete process.env[name]
}

// Processes that tests start compile the program once, not each time.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url))

// As if the program were on the PATH, for the hints that tests read.
process.env.LATCHKEY_COMMAND ??= 'latchkey'

/** On the embedded database, on none, or about processes: with the database server of another run they would test nothing else. */
const withoutServer = [
  'tests/browser/!(sign-in).test.ts',
  'tests/{quickstart,server,examples}/**',
  'tests/clients/generated.test.ts',
  'tests/daemon/{start,dev,reload}.test.ts',
  'tests/cli/{process,program,config,config-faults,terminal-output,provider-faults}.test.ts',
  'tests/conformance/{hasher,custom-rate-limit,memory-*,redis-*,supervisor-rate-limit,sqlite-database}.test.ts',
]

/** What providers send, and which requests are valid: the same on every database. */
const withoutDatabase =
  'src/features/social-sign-in/{providers/*,id-token,discovery,generic-oauth,provider-routes,provider-list}.test.ts'

/** Declarations, rules and comparisons of the whole API: in `unit` like features. Races are there, and on servers. */
const wholeAPI =
  'tests/contract/{audit,audit-administration,documented,ended-links,enumeration,organization-access,organization-isolation,routes}.test.ts'

/** Statistics of a quiet machine: in parallel with other tests they prove little. */
const responseTimes = 'tests/contract/response-times.test.ts'

const counts = process.env.TEST_COUNTS
const root = fileURLToPath(new URL('.', import.meta.url))
const features = divideByServers('src/features/**/*.test.ts', root)
// Without a build, the program is its source.
const noServers: { servers: SharedServers | null; program: string } = { servers: null, program: root }

/** The published Expo client runs in React Native only. */
const reactNative = fileURLToPath(new URL('tests/clients/expo-modules.ts', import.meta.url))
const reactNativeModules = ['react-native', 'expo-constants', 'expo-linking', 'expo-web-browser']

export default defineConfig({
  resolve: { alias: Object.fromEntries(reactNativeModules.map((name) => [name, reactNative])) },
  test: {
    server: { deps: { inline: ['@better-auth/expo'] } },
    pool: 'forks',
    // Thousands of short tests make mostly garbage that dies young.
    execArgv: ['--max-semi-space-size=64'],
    // Twice the two cores of most machines: many tests wait for processes and deadlines.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', slowestReporter, ...(counts ? [countReporter(counts)] : [])],
    // The machines are noisy; what takes this long is broken, not slow.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    setupFiles: ['tests/kit/orphan.ts'],
    projects: [
      {
        // Pure functions, and features on SQLite and memory: the quick loop.
        extends: true,
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'dashboard/src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'tests/contract/races.test.ts',
            wholeAPI,
          ],
          isolate: false,
          provide: noServers,
        },
      },
      {
        extends: true,
        test: { name: 'architecture', include: ['tests/architecture/**/*.test.ts'], isolate: false, provide: noServers },
      },
      {
        // Everything that needs real parts, and features again, if a database server or Redis can make a difference.
        extends: true,
        test: {
          name: 'servers',
          include: [...features.onServers, 'tests/**/*.test.ts'],
          exclude: [
            'tests/architecture/**',
            'tests/package/**',
            'tests/fuzz/**',
            wholeAPI,
            responseTimes,
            withoutDatabase,
            ...(process.env.TEST_DATABASE_URL ? withoutServer : []),
          ],
          globalSetup: ['tests/kit/program-setup.ts', 'tests/kit/global-setup.ts'],
          isolate: false,
        },
      },
      {
        // What `servers` leaves out, for the complete run on a database server.
        extends: true,
        test: {
          name: 'unit-on-servers',
          include: [...features.others, wholeAPI],
          // It compares declarations with limits and schemas.
          exclude: [withoutDatabase, 'tests/contract/routes.test.ts'],
          globalSetup: ['tests/kit/global-setup.ts'],
          isolate: false,
          provide: { program: root },
        },
      },
      {
        // A step of its own, with no other tests in parallel.
        extends: true,
        test: {
          name: 'response-times',
          include: [responseTimes],
          globalSetup: ['tests/kit/global-setup.ts'],
          provide: { program: root },
        },
      },
      {
        // Tens of thousands of random requests to a daemon on a database server: a step of its own.
        extends: true,
        test: {
          name: 'fuzz',
          include: ['tests/fuzz/**/*.test.ts'],
          globalSetup: ['tests/kit/program-setup.ts', 'tests/kit/global-setup.ts'],
          testTimeout: 20 * 60_000,
        },
      },
      {
        extends: true,
        test: { name: 'package', include: ['tests/package/**/*.test.ts'], provide: noServers },
      },
    ],
  },
})
