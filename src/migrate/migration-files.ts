/** Migration files: `0002_teams.sql` has the statements up and down, `snapshot.json` the schema to which each migration leads. */
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Change, ChangeClass } from './changes.ts'
import { MigrationError } from './migration-error.ts'
import { emptySchema, type Schema } from './schema.ts'
import { checksumOf, digestOf, formatSnapshot, parseEarlier, parseSnapshot, type Snapshot, snapshotFile } from './snapshot.ts'
import type { Statement } from './sql.ts'

export interface FileStatement {
  readonly sql: string
  /** The change it makes; null for a statement written by hand. */
  readonly change: Change | null
  readonly checksum: string
}
export interface MigrationFile {
  readonly number: number
  /** With the number: `0002_teams`. */
  readonly name: string
  readonly checksum: string
  readonly up: readonly FileStatement[]
  readonly down: readonly FileStatement[]
  /** The schema that it leads to. */
  readonly schema: Schema
}

const invalid = (message: string, cause?: unknown): MigrationError =>
  new MigrationError('FILES_INVALID', message, cause === undefined ? {} : { cause })

export const newestSchema = (files: readonly MigrationFile[]): Schema => files.at(-1)?.schema ?? emptySchema

/**
 * All migrations of a folder, in order; none when the folder does not exist.
 * @throws MigrationError FILES_INVALID: duplicate or missing number, missing or changed snapshot, unreadable file
 */
export async function readMigrations(dir: string): Promise<MigrationFile[]> {
  const listed = await listFolder(dir)
  const files = numberFiles(listed.filter((name) => name.endsWith('.sql')).map((name) => name.slice(0, -'.sql'.length)))
  const schemas = listed.includes(snapshotFile) ? await readSnapshot(dir) : new Map<string, Schema>()
  // One after the other, so that the error is about the first that is wrong.
  const read: MigrationFile[] = []
  for (const file of files) read.push(await readMigration(dir, file, { listed, schemas }))
  return read
}

type Numbered = Pick<MigrationFile, 'name' | 'number'>
interface Snapshots {
  /** Names of all files of the folder. */
  readonly listed: readonly string[]
  /** Those of `snapshot.json`, by digest. */
  readonly schemas: ReadonlyMap<string, Schema>
}

function numberFiles(names: readonly string[]): Numbered[] {
  const files = names.toSorted().map((name) => ({ name, number: numberOf(name) }))
  for (const [index, { number, name }] of files.entries()) {
    const expected = index + 1
    const other = files[index - 1]?.name
    if (number < expected) {
      const rescue = `Keep the one that is applied, with the ${snapshotFile} of its branch; delete the other one and generate it again`
      throw invalid(`Two migrations have the number ${number}: ${other} and ${name}. ${rescue}`)
    }
    if (number > expected) throw invalid(`The migration number ${expected}, before ${name}, is missing`)
  }
  return files
}

function numberOf(name: string): number {
  const number = /^(\d{4,})_[a-z0-9-]+$/.exec(name)?.[1]
  if (number === undefined) throw invalid(`${name}.sql does not have a name like 0002_teams.sql`)
  return Number(number)
}

async function listFolder(dir: string): Promise<string[]> {
  try {
    return await readdir(dir)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw invalid(`Cannot read the folder ${dir}`, error)
  }
}

async function readSnapshot(dir: string): Promise<ReadonlyMap<string, Schema>> {
  const text = await readText(dir, snapshotFile)
  if (/^(<{7}|={7}|>{7})/m.test(text)) {
    const rescue = 'Take the file of one branch, delete the migration that only the other branch has, and generate it again'
    throw invalid(`${snapshotFile} has merge conflicts: two branches have added a migration. ${rescue}`)
  }
  try {
    return parseSnapshot(text)
  } catch (error) {
    throw invalid(`${snapshotFile} does not have a supported snapshot format`, error)
  }
}

async function readMigration(dir: string, { name, number }: Numbered, { listed, schemas }: Snapshots): Promise<MigrationFile> {
  const text = await readText(dir, `${name}.sql`)
  const digest = /^-- snapshot: ([0-9a-f]{64})$/m.exec(text)?.[1] ?? ''
  const schema = schemas.get(digest) ?? (listed.includes(earlierFile(name)) ? await readEarlier(dir, name, digest) : null)
  if (schema) return { number, name, checksum: checksumOf(text), ...parseSections(name, text), schema }
  const rescue = `Restore ${snapshotFile} from the commit that added ${name}.sql`
  throw invalid(`${snapshotFile} does not have the schema with which ${name}.sql was generated. ${rescue}`)
}

async function readEarlier(dir: string, name: string, digest: string): Promise<Schema> {
  const text = await readText(dir, earlierFile(name))
  if (digest !== checksumOf(text)) throw invalid(`${earlierFile(name)} is not the snapshot with which ${name}.sql was generated`)
  try {
    return parseEarlier(text)
  } catch (error) {
    throw invalid(`${earlierFile(name)} does not have a supported snapshot format`, error)
  }
}

/** The snapshot of one migration, as earlier versions wrote it. */
const earlierFile = (name: string): string => `${name}.json`

/** @returns paths of the snapshots of single migrations, which can be deleted once `snapshot.json` has their schemas */
export async function findEarlier(dir: string, names: readonly string[]): Promise<string[]> {
  const listed = await listFolder(dir)
  return names.map(earlierFile).flatMap((file) => (listed.includes(file) ? [join(dir, file)] : []))
}

async function readText(dir: string, name: string): Promise<string> {
  try {
    return await readFile(join(dir, name), 'utf8')
  } catch (error) {
    throw invalid(`Cannot read ${name}`, error)
  }
}

/** @throws MigrationError FILES_INVALID when a section is missing */
export function parseSections(name: string, text: string): Pick<MigrationFile, 'up' | 'down'> {
  const sections = /^-- up$(.*)^-- down$(.*)/ms.exec(text.replaceAll('\r\n', '\n'))
  if (!sections) throw invalid(`${name}.sql must have the sections "-- up" and "-- down"`)
  const [, up = '', down = ''] = sections
  return { up: parseStatements(name, up), down: parseStatements(name, down) }
}

/** A statement ends with a semicolon at the end of a line. The comment right before it can name its change. */
function parseStatements(name: string, section: string): FileStatement[] {
  const statements: FileStatement[] = []
  let lines: string[] = []
  let change: Change | null = null
  for (const line of section.split('\n')) {
    if (lines.length === 0 && (line.trim() === '' || line.startsWith('--'))) {
      const [, named, kind] = /^-- (\S+) \((safe|needs-lock|destructive)\)$/.exec(line) ?? []
      change = named === undefined ? null : { name: named, class: kind as ChangeClass }
      continue
    }
    lines.push(line)
    if (!line.trimEnd().endsWith(';')) continue
    const sql = lines.join('\n').trim().slice(0, -1)
    statements.push({ sql, change, checksum: checksumOf(sql) })
    lines = []
    change = null
  }
  if (lines.length > 0) throw invalid(`${name}.sql: the last statement of each section must end with a semicolon`)
  return statements
}

export interface MigrationText {
  /** Letters, digits and hyphens. */
  readonly title: string
  readonly acknowledged: readonly string[]
  readonly up: readonly Statement[]
  readonly down: readonly Statement[]
  readonly schema: Schema
}

/**
 * Writes the snapshot, then the statements: a snapshot without them still has the schemas of the other migrations.
 * @param before all migrations of the folder, in order
 */
export async function writeMigration(
  dir: string,
  before: readonly Snapshot[],
  migration: MigrationText,
): Promise<Snapshot & { readonly path: string }> {
  const { title, schema } = migration
  const name = `${String(before.length + 1).padStart(4, '0')}_${title}`
  const path = join(dir, `${name}.sql`)
  await mkdir(dir, { recursive: true })
  await writeAtomically(join(dir, snapshotFile), formatSnapshot([...before, { name, schema }]))
  await writeAtomically(path, formatMigration(name, migration))
  return { name, schema, path }
}

async function writeAtomically(path: string, text: string): Promise<void> {
  await writeFile(`${path}.part`, text)
  await rename(`${path}.part`, path)
}

function formatMigration(name: string, { acknowledged, up, down, schema }: MigrationText): string {
  const block = ({ change, sql }: Statement) => `${change ? `-- ${change.name} (${change.class})\n` : ''}${sql};\n`
  const header = [
    `-- ${name}`,
    '-- Review this file, and edit it if needed, before it is applied; never afterwards. Each statement ends with a semicolon at',
    '-- the end of a line. The comment above it names its change: an interrupted run uses it to check whether it took effect.',
    ...(acknowledged.length > 0 ? [`-- acknowledged: ${acknowledged.join(', ')}`] : []),
    `-- snapshot: ${digestOf(schema)}`,
  ]
  return `${header.join('\n')}\n\n-- up\n\n${up.map(block).join('\n')}\n-- down\n\n${down.map(block).join('\n')}`
}
