/** Real servers for tests: the shared ones of the run, and private ones that a test may kill. */
export { chromiumArguments, findChromium } from './chromium.ts'
export { type Database, freshDatabase, startDatabase } from './databases.ts'
export { freshKeyspace } from './keyspaces.ts'
export { startMariaDB } from './mariadb.ts'
export { freePort } from './ports.ts'
export { startRedis } from './redis.ts'
export type { Server } from './server.ts'
