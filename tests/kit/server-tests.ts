/**
 * Which tests of features run on a database server and Redis with every change: those of what a server does in its own way. All
 * features run on SQLite with every change, and on servers with `npm run test:servers`.
 */
import { globSync, readFileSync } from 'node:fs'

/** Found in the files themselves, so that a new one cannot be forgotten. For other reasons, a file says `// Also on servers:`. */
const signs = [
  // Concurrent calls, in one daemon or two.
  /\bPromise\.all(Settled)?\(/,
  /\banother\(/,
  /\/kit\/race\.ts'/,
  // Which statements are sent, how many rows they take, and SQL of the test's own.
  /\/kit\/(statements|many-rows)\.ts'/,
  /from 'kysely'/,
  // The test distinguishes itself.
  /\binject\('servers'\)/,
  /^\/\/ Also on servers: /m,
]

/** @param pattern a glob, relative to `cwd` */
export function divideByServers(pattern: string, cwd: string): { readonly onServers: string[]; readonly others: string[] } {
  const files = globSync(pattern, { cwd })
  const needsServers = (file: string) => signs.some((sign) => sign.test(readFileSync(`${cwd}/${file}`, 'utf8')))
  const onServers = new Set(files.filter(needsServers))
  return { onServers: [...onServers], others: files.filter((file) => !onServers.has(file)) }
}
