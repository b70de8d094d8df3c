/** Migration files: `0002_teams.sql` has the statements up and down, `0002_teams.json` a snapshot of the schema they lead to. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Change, ChangeClass } from './changes.ts'
import { MigrationError } from './migration-error.ts'
import { declaredTables, emptySchema, type Schema, stableJSON } from './schema.ts'
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

/** Ignores the kind of line ends, which version control may change. */
const checksumOf = (text: string): string => createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')

export const newestSchema = (files: readonly MigrationFile[]): Schema => files.at(-1)?.schema ?? emptySchema

/**
 * All migrations of a folder, in order; none when the folder does not exist.
 * @throws MigrationError FILES_INVALID: duplicate or missing number, missing or changed snapshot, unreadable file
 */
export async function readMigrations(dir: string): Promise<MigrationFile[]> {
  const names = (await listFolder(dir)).filter((name) => name.endsWith('.sql')).toSorted()
  const files = await Promise.all(names.map((name) => readMigration(dir, name.slice(0, -'.sql'.length))))
  for (const [index, { number, name }] of files.entries()) {
    const expected = index + 1
    if (number < expected)
      throw invalid(`Two migrations have the number ${number}, one of them is ${name}. Generate the newer one again`)
    if (number > expected) throw invalid(`The migration number ${expected}, before ${name}, is missing`)
  }
  return files
}

async function listFolder(dir: string): Promise<string[]> {
  try {
    return await readdir(dir)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw invalid(`Cannot read the folder ${dir}`, error)
  }
}

async function readMigration(dir: string, name: string): Promise<MigrationFile> {
  const number = /^(\d{4,})_[a-z0-9-]+$/.exec(name)?.[1]
  if (number === undefined) throw invalid(`${name}.sql does not have a name like 0002_teams.sql`)
  const [text, snapshot] = await Promise.all([readText(dir, `${name}.sql`), readText(dir, `${name}.json`)])
  const named = /^-- snapshot: ([0-9a-f]{64})$/m.exec(text)?.[1]
  if (named !== checksumOf(snapshot)) throw invalid(`${name}.json is not the snapshot with which ${name}.sql was generated`)
  try {
    return {
      number: Number(number),
      name,
      checksum: checksumOf(text),
      ...parseSections(name, text),
      schema: parseSnapshot(snapshot),
    }
  } catch (error) {
    throw error instanceof MigrationError ? error : invalid(`${name}.json does not have a supported snapshot format`, error)
  }
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
  readonly number: number
  /** Letters, digits and hyphens. */
  readonly title: string
  readonly acknowledged: readonly string[]
  readonly up: readonly Statement[]
  readonly down: readonly Statement[]
  readonly schema: Schema
}

/** Writes both files, the statements last: a snapshot without them is ignored. @returns their paths */
export async function writeMigration(dir: string, migration: MigrationText): Promise<{ name: string; paths: string[] }> {
  const name = `${String(migration.number).padStart(4, '0')}_${migration.title}`
  const snapshot = formatSnapshot(migration.schema)
  const paths = [join(dir, `${name}.sql`), join(dir, `${name}.json`)] as const
  await mkdir(dir, { recursive: true })
  await writeAtomically(paths[1], snapshot)
  await writeAtomically(paths[0], formatMigration(name, migration, checksumOf(snapshot)))
  return { name, paths: [...paths] }
}

async function writeAtomically(path: string, text: string): Promise<void> {
  await writeFile(`${path}.part`, text)
  await rename(`${path}.part`, path)
}

function formatMigration(name: string, { acknowledged, up, down }: MigrationText, snapshot: string): string {
  const block = ({ change, sql }: Statement) => `${change ? `-- ${change.name} (${change.class})\n` : ''}${sql};\n`
  const header = [
    `-- ${name}`,
    '-- Review this file, and edit it if needed, before it is applied; never afterwards. Each statement ends with a semicolon at',
    '-- the end of a line. The comment above it names its change: an interrupted run uses it to check whether it took effect.',
    ...(acknowledged.length > 0 ? [`-- acknowledged: ${acknowledged.join(', ')}`] : []),
    `-- snapshot: ${snapshot}`,
  ]
  return `${header.join('\n')}\n\n-- up\n\n${up.map(block).join('\n')}\n-- down\n\n${down.map(block).join('\n')}`
}

const snapshotFormat = 1

const snapshotShape = z.strictObject({ format: z.literal(snapshotFormat), tables: declaredTables })

/** Equal schemas have equal texts, whatever the order of the features. */
export const formatSnapshot = (schema: Schema): string => `${stableJSON({ format: snapshotFormat, ...schema }, 2)}\n`

/** @throws Error for an unsupported format */
export function parseSnapshot(text: string): Schema {
  const { tables } = snapshotShape.parse(JSON.parse(text))
  return { tables }
}
