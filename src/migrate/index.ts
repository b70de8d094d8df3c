/**
 * Database schema and migrations: the schema that the enabled features declare, the migration files, the live database.
 * `generate`, `up`, `down` and `status` are for MySQL and MariaDB; `push` updates a SQLite database, which has no files.
 */
export { adopt, adoptEmbedded } from './adopt.ts'
export { describeTransaction, type StatementEvent } from './apply.ts'
export { toChanges } from './changes.ts'
export {
  type DaemonDifference,
  type DaemonTraits,
  describeDifference,
  differingParts,
  findDifferences as findDaemonDifferences,
  traitsOf,
} from './daemon-traits.ts'
export { declareSchema } from './declare.ts'
export { diffSchemas } from './diff.ts'
export { canServe, findMissing, isDrop, type MissingPart, type Rename } from './expand.ts'
export { generate } from './generate.ts'
export { introspect } from './introspect.ts'
export { MigrationError } from './migration-error.ts'
export { describeTaken, ownTableNames } from './own-tables.ts'
export { createPrefixed, executeChanges } from './prefixed.ts'
export { push } from './push.ts'
export { type Applied, down, type RunOptions, up } from './run.ts'
export type { Schema } from './schema.ts'
export { findServing, registerWorker } from './serving.ts'
export {
  isClean,
  isServable,
  type LiveParts,
  type Pending,
  pendingMigrations,
  readLiveParts,
  readTaken,
  type Status,
  status,
} from './status.ts'
