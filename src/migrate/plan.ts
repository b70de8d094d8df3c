/** Which migrations are to be applied or taken back, and whether the files are still those that were applied. Pure. */
import { MigrationFault } from './errors.ts'
import type { MigrationFile } from './files.ts'
import { newestSchema } from './files.ts'
import type { JournalEntry } from './journal.ts'
import type { Schema } from './schema.ts'

export interface Planned {
  readonly file: MigrationFile
  readonly direction: 'up' | 'down'
  /** Begun by a run that did not come to its end. */
  readonly resumed: boolean
  /** The schema that it leads to. */
  readonly target: Schema
}

const plan = (files: readonly MigrationFile[], file: MigrationFile, direction: 'up' | 'down', resumed: boolean): Planned => ({
  file,
  direction,
  resumed,
  target: direction === 'up' ? file.schema : newestSchema(files.slice(0, file.number - 1)),
})

/**
 * What was interrupted on the way back is first brought to its end, then applied again.
 * @param to the last number to apply; all when left out
 * @throws MigrationFault NUMBER_UNKNOWN, FILE_MISSING, FILE_EDITED
 */
export function planUp(files: readonly MigrationFile[], journal: readonly JournalEntry[], to = files.length): Planned[] {
  if (to !== 0 && !files[to - 1]) throw new MigrationFault('NUMBER_UNKNOWN', `There is no migration ${to}`)
  checkApplied(files, journal)
  const reverting = journal.filter((entry) => entry.appliedAt === null && entry.direction === 'down').toReversed()
  const pending = findPending(files, journal).filter((file) => file.number <= to)
  return [
    ...reverting.flatMap(({ number }) => fileOf(files, number).map((file) => plan(files, file, 'down', true))),
    ...pending.map((file) => {
      const entry = journal.find(({ number }) => number === file.number)
      return plan(files, file, 'up', entry?.direction === 'up')
    }),
  ]
}

/** @param steps how many, from the newest; one that was only begun counts */
export function planDown(files: readonly MigrationFile[], journal: readonly JournalEntry[], steps: number): Planned[] {
  checkApplied(files, journal)
  const entries = journal.toReversed().slice(0, steps)
  return entries.flatMap((entry) =>
    fileOf(files, entry.number).map((file) => plan(files, file, 'down', entry.appliedAt === null && entry.direction === 'down')),
  )
}

/** Files that are not, or not wholly, applied. */
export const findPending = (files: readonly MigrationFile[], journal: readonly JournalEntry[]): MigrationFile[] =>
  files.filter((file) => !journal.some(({ number, appliedAt }) => number === file.number && appliedAt !== null))

export const findEdited = (files: readonly MigrationFile[], journal: readonly JournalEntry[]): string[] =>
  journal
    .filter(
      ({ number, appliedAt, checksum }) => appliedAt !== null && fileOf(files, number).some((file) => file.checksum !== checksum),
    )
    .map(({ name }) => name)

export const findMissing = (files: readonly MigrationFile[], journal: readonly JournalEntry[]): string[] =>
  journal.filter(({ number, name }) => !fileOf(files, number).some((file) => file.name === name)).map(({ name }) => name)

const fileOf = (files: readonly MigrationFile[], number: number): MigrationFile[] => files.slice(number - 1, number)

function checkApplied(files: readonly MigrationFile[], journal: readonly JournalEntry[]): void {
  const missing = findMissing(files, journal)
  if (missing.length > 0)
    throw new MigrationFault('FILE_MISSING', `Applied, but no longer there: ${missing.join(', ')}`, { details: missing })
  const edited = findEdited(files, journal)
  if (edited.length > 0)
    throw new MigrationFault('FILE_EDITED', `Changed after it was applied: ${edited.join(', ')}`, { details: edited })
}
