/** Numbered migration files: `0002_teams.sql` with the statements, up and down, and `0002_teams.json` with the schema they lead to. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Change, ChangeClass } from './changes.ts'
import { MigrationFault } from './errors.ts'
import { emptySchema, type Schema } from './schema.ts'
import { formatSnapshot, parseSnapshot } from './snapshot.ts'
import type { Statement } from './sql-mysql.ts'

export interface FileStatement {
  readonly sql: string
  /** What it was generated for; null when it was written by hand. */
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

const invalid = (message: string, cause?: unknown): MigrationFault =>
  new MigrationFault('FILES_INVALID', message, cause === undefined ? {} : { cause })

/** Line ends are no difference: version control may change them. */
const checksumOf = (text: string): string => createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')

export const newestSchema = (files: readonly MigrationFile[]): Schema => files.at(-1)?.schema ?? emptySchema

/**
 * All migrations of a folder, in order; none when there is no such folder.
 * @throws MigrationFault FILES_INVALID: a number twice or left out, a snapshot missing or changed, a file that cannot be read
 */
export async function readMigrations(dir: string): Promise<MigrationFile[]> {
  const names = (await listFolder(dir)).filter((name) => name.endsWith('.sql')).toSorted()
  const files = await Promise.all(names.map((name) => readMigration(dir, name.slice(0, -'.sql'.length))))
  for (const [index, { number, name }] of files.entries()) {
    const expected = index + 1
    if (number < expected)
      throw invalid(`Two migrations have the number ${number}, ${name} is one of them: generate the younger one again`)
    if (number > expected) throw invalid(`The migration before ${name} is missing: its number should be ${expected}`)
  }
  return files
}

async function listFolder(dir: string): Promise<string[]> {
  try {
    return await readdir(dir)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw invalid(`The folder ${dir} cannot be read`, error)
  }
}

async function readMigration(dir: string, name: string): Promise<MigrationFile> {
  const number = /^(\d{4,})_[a-z0-9-]+$/.exec(name)?.[1]
  if (number === undefined) throw invalid(`${name}.sql is not named like 0002_teams.sql`)
  const [text, snapshot] = await Promise.all([readText(dir, `${name}.sql`), readText(dir, `${name}.json`)])
  const named = /^-- snapshot: ([0-9a-f]{64})$/m.exec(text)?.[1]
  if (named !== checksumOf(snapshot)) throw invalid(`${name}.json is not the snapshot that ${name}.sql was generated with`)
  try {
    return {
      number: Number(number),
      name,
      checksum: checksumOf(text),
      ...parseSections(name, text),
      schema: parseSnapshot(snapshot),
    }
  } catch (error) {
    throw error instanceof MigrationFault ? error : invalid(`${name}.json is no snapshot of a known format`, error)
  }
}

async function readText(dir: string, name: string): Promise<string> {
  try {
    return await readFile(join(dir, name), 'utf8')
  } catch (error) {
    throw invalid(`${name} cannot be read`, error)
  }
}

/** @throws MigrationFault FILES_INVALID when a section is missing */
export function parseSections(name: string, text: string): Pick<MigrationFile, 'up' | 'down'> {
  const sections = /^-- up$(.*)^-- down$(.*)/ms.exec(text.replaceAll('\r\n', '\n'))
  if (!sections) throw invalid(`${name}.sql has no sections "-- up" and "-- down"`)
  const [, up = '', down = ''] = sections
  return { up: parseStatements(name, up), down: parseStatements(name, down) }
}

const isClass = (text: string | undefined): text is ChangeClass =>
  text === 'safe' || text === 'needs-lock' || text === 'destructive'

/** A statement ends with a semicolon at the end of a line; the comment right before it may name its change. */
function parseStatements(name: string, section: string): FileStatement[] {
  const statements: FileStatement[] = []
  let lines: string[] = []
  let change: Change | null = null
  for (const line of section.split('\n')) {
    if (lines.length === 0 && (line.trim() === '' || line.startsWith('--'))) {
      const [, named, kind] = /^-- (\S+) \(([a-z-]+)\)$/.exec(line) ?? []
      change = named !== undefined && isClass(kind) ? { name: named, class: kind } : null
      continue
    }
    lines.push(line)
    if (!line.trimEnd().endsWith(';')) continue
    const sql = lines.join('\n').trim().slice(0, -1)
    statements.push({ sql, change, checksum: checksumOf(sql) })
    lines = []
    change = null
  }
  if (lines.length > 0) throw invalid(`${name}.sql: the last statement of a section does not end with a semicolon`)
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

/** Writes both files, the statements last, so that a snapshot alone means nothing. @returns their paths */
export async function writeMigration(dir: string, migration: MigrationText): Promise<{ name: string; paths: string[] }> {
  const name = `${String(migration.number).padStart(4, '0')}_${migration.title}`
  const snapshot = formatSnapshot(migration.schema)
  const paths = [join(dir, `${name}.sql`), join(dir, `${name}.json`)] as const
  await mkdir(dir, { recursive: true })
  await writeWhole(paths[1], snapshot)
  await writeWhole(paths[0], formatMigration(name, migration, checksumOf(snapshot)))
  return { name, paths: [...paths] }
}

async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.part`, text)
  await rename(`${path}.part`, path)
}

function formatMigration(name: string, { acknowledged, up, down }: MigrationText, snapshot: string): string {
  const block = ({ change, sql }: Statement) => `-- ${change.name} (${change.class})\n${sql};\n`
  const header = [
    `-- ${name}`,
    '-- Read it, and change it where need be, before it is applied; never afterwards. A statement ends with a semicolon at the end',
    '-- of a line; the comment above it names its change, by which an interrupted run finds out whether it took place.',
    ...(acknowledged.length > 0 ? [`-- acknowledged: ${acknowledged.join(', ')}`] : []),
    `-- snapshot: ${snapshot}`,
  ]
  return `${header.join('\n')}\n\n-- up\n\n${up.map(block).join('\n')}\n-- down\n\n${down.map(block).join('\n')}`
}
