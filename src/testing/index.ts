/** The public entry `latchkey/testing`: a daemon within a test, for the test suites of apps. */
export type { TestClock } from './clock.ts'
export { startLatchkey, type TestDaemon, type TestOptions } from './daemon.ts'
export type { NewTestUser, SignedIn, TestAPIKey, TestOrganization, TestUser } from './factories.ts'
export type { CaughtMessage, Messages } from './messages.ts'
