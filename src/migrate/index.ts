/**
 * The schema of a database: what the enabled features declare, what the files say, what is there. For the command line:
 *
 * - `declareSchema(features)`: the schema of the enabled features (`enabledFeatures(featureList, config)`).
 * - `generate({ schema, dir, name, acknowledge })`: compares it with the newest snapshot in `dir` and writes the next file and
 *   snapshot; `{ changes, written }`, `written` null when there is nothing to do. `write: false` only plans.
 * - `up({ db, dialect, dir, holder, to, dryRun, lockTimeout, onStatement })`: applies what is pending. MySQL and MariaDB only.
 * - `down({ …, steps })`: takes back the newest.
 * - `status({ db, dialect, dir, schema })`: everything that is not as it should be, as data; `isClean(status)`.
 * - `push({ db, dialect, schema })`: SQLite only, in place of files: brings the file to the declared schema.
 * - `pendingMigrations({ db, dialect, dir })`: names of the files that are not applied; needs the right to read only.
 *
 * Failures that a user can act on are `MigrationFault`s with a `code`; the exit codes they ask for are in `errors.ts`.
 */
export type { StatementEvent } from './apply.ts'
export type { Change } from './changes.ts'
export { declareSchema } from './declare.ts'
export { MigrationFault } from './errors.ts'
export { generate } from './generate.ts'
export { push } from './push.ts'
export { type Applied, down, type RunOptions, up } from './run.ts'
export type { Schema } from './schema.ts'
export { isClean, pendingMigrations, type Status, status } from './status.ts'
