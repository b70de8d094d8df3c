/** Rows of a dump of `pg_dump`: COPY blocks, or INSERT statements. Their columns are named there, or in CREATE TABLE before them. */
import { readTextLines, type SourceFile, sourceError } from './source-file.ts'

export interface DumpRow {
  readonly line: number
  /** Without the schema: `users`. */
  readonly table: string
  readonly fields: Readonly<Record<string, string | null>>
}

const tableName = String.raw`(?:"?[\w$]+"?\.)?"?([\w$]+)"?`
const copyStart = new RegExp(String.raw`^COPY ${tableName} \(([^)]+)\) FROM stdin;$`)
const insertStart = new RegExp(String.raw`^INSERT INTO ${tableName} (?:\(([^)]+)\) )?(?:OVERRIDING SYSTEM VALUE )?VALUES\s*`)

const createStart = new RegExp(String.raw`^CREATE TABLE ${tableName} \($`)
/** A column in CREATE TABLE; a constraint of the table starts with its keyword in capitals. */
const createColumn = /^ {4}(?:"((?:[^"]|"")+)"|([a-z_][\w$]*)) /

const columnsOf = (list: string): string[] => list.split(',').map((name) => name.trim().replaceAll('"', ''))

/**
 * @param tables whose rows are returned; others are skipped
 * @throws SourceError for a row that does not fit its columns, and a file that ends inside a statement
 */
export async function* readDump(file: SourceFile, tables: ReadonlySet<string>): AsyncGenerator<DumpRow, void, undefined> {
  let copy: { readonly table: string; readonly columns: readonly string[] } | null = null
  let statement: { text: string; readonly line: number } | null = null
  const declared = new Map<string, string[]>()
  let declaring: string[] | null = null
  for await (const { number, text: written } of readTextLines(file)) {
    const text = written.endsWith('\r') ? written.slice(0, -1) : written
    if (copy) {
      if (text === '\\.') copy = null
      else if (tables.has(copy.table)) yield copyRow(file, copy, text, number)
      continue
    }
    if (declaring) {
      const [, quoted, name] = createColumn.exec(text) ?? []
      if (text === ');') declaring = null
      else if (quoted || name) declaring.push(quoted ?? name ?? '')
      continue
    }
    if (!statement) {
      const [, created] = createStart.exec(text) ?? []
      if (created && tables.has(created)) {
        declaring = []
        declared.set(created, declaring)
        continue
      }
      const [, table, list] = copyStart.exec(text) ?? []
      if (table && list) copy = { table, columns: columnsOf(list) }
      const [, into] = insertStart.exec(text) ?? []
      if (!into || !tables.has(into)) continue
      statement = { text, line: number }
    } else statement.text += `\n${text}`
    if (!isComplete(statement.text)) continue
    yield* insertRows(file, statement, declared)
    statement = null
  }
  const hint = 'The file was cut off. Export it again.'
  if (copy) throw sourceError(file, null, `ends inside the rows of ${copy.table}`, hint)
  if (statement) throw sourceError(file, `line ${statement.line}`, 'ends inside this statement', hint)
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

const copyValue = (text: string): string | null => {
  if (text === '\\N') return null
  return text.includes('\\') ? text.replace(/\\(x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|.)/gs, (_, code: string) => unescaped(code)) : text
}

function unescaped(code: string): string {
  if (/^x./.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
  if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8))
  return escapes[code] ?? code
}

function copyRow(
  file: SourceFile,
  { table, columns }: { readonly table: string; readonly columns: readonly string[] },
  text: string,
  line: number,
): DumpRow {
  const values = text.split('\t')
  if (values.length !== columns.length)
    throw sourceError(file, `line ${line}`, `has ${values.length} values for the ${columns.length} columns of ${table}`)
  const fields = Object.fromEntries(columns.map((name, position) => [name, copyValue(values[position] ?? '')]))
  return { line, table, fields }
}

/** Whether a statement ends here: `;` outside of quotes. */
function isComplete(text: string): boolean {
  if (!text.endsWith(';')) return false
  return (text.match(/'/g)?.length ?? 0) % 2 === 0
}

/** A quoted text (`E'…'` has backslashes), NULL, a number or true and false, with a cast behind it. */
const value = /\s*(?:(E)?'((?:[^'\\]|''|\\.|\\)*)'|([\w.+-]+))(?:::[\w. "[\]]+)?\s*/gsy

function insertRows(
  file: SourceFile,
  { text, line }: { readonly text: string; readonly line: number },
  declared: ReadonlyMap<string, readonly string[]>,
): DumpRow[] {
  const [start = '', table = '', list] = insertStart.exec(text) ?? []
  const columns = list ? columnsOf(list) : declared.get(table)
  if (!columns)
    throw sourceError(file, `line ${line}`, `the columns of ${table} are not named`, 'Export with pg_dump --column-inserts.')
  const rows: DumpRow[] = []
  let at = start.length
  const fail = () => sourceError(file, `line ${line}`, `a value of ${table} cannot be read`)
  while (text[at] === '(') {
    const values: (string | null)[] = []
    do {
      value.lastIndex = at + 1
      const match = value.exec(text)
      if (!match) throw fail()
      values.push(insertValue(match))
      at = value.lastIndex
    } while (text[at] === ',')
    if (text[at] !== ')' || values.length !== columns.length) throw fail()
    rows.push({ line, table, fields: Object.fromEntries(columns.map((name, position) => [name, values[position] ?? null])) })
    at += 1
    const [separator = ''] = /^\s*,\s*/.exec(text.slice(at, at + 16)) ?? []
    at += separator.length
  }
  if (
    text
      .slice(at)
      .trim()
      .replace(/^ON CONFLICT DO NOTHING/, '') !== ';'
  )
    throw fail()
  return rows
}

function insertValue([, isEscaped, quoted, bare = '']: RegExpExecArray): string | null {
  if (quoted === undefined) return bare.toUpperCase() === 'NULL' ? null : bare
  const text = quoted.replaceAll("''", "'")
  return isEscaped ? text.replace(/\\(x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|.)/gs, (_, code: string) => unescaped(code)) : text
}
