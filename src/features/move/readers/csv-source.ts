/** Rows of CSV files (RFC 4180) by the names in their first row. */
import papaparse from 'papaparse'
import { readUTF8, type SourceFile, sourceError } from './source-file.ts'

export interface Row {
  /** Line on which it starts, from 1. */
  readonly line: number
  /** By column; null for an empty field, `\N` and `NULL`. Null for a row with another number of fields than the first one. */
  readonly fields: Readonly<Record<string, string | null>> | null
  /** How many fields it has. */
  readonly count: number
}

const missing = new Set(['', '\\N', 'NULL'])

/**
 * @throws SourceError for a quoted field without end, a file without rows, and those of `readUTF8`
 */
export async function* readRows(file: SourceFile): AsyncGenerator<Row, void, undefined> {
  let [names, line]: [string[] | null, number] = [null, 1]
  for await (const fields of readFields(file)) {
    const at = line
    line += 1 + fields.reduce((sum, field) => sum + newlinesIn(field), 0)
    if (fields.length === 1 && fields[0]?.trim() === '') continue
    if (!names) {
      names = fields.map((name) => name.trim())
      const twice = names.find((name, position) => names?.indexOf(name) !== position)
      if (twice !== undefined) throw sourceError(file, 'line 1', `the column ${JSON.stringify(twice)} occurs twice`)
      continue
    }
    const isWhole = fields.length === names.length
    yield { line: at, count: fields.length, fields: isWhole ? byName(names, fields) : null }
  }
  if (!names) throw sourceError(file, null, 'is empty')
}

function byName(names: readonly string[], values: readonly string[]): Record<string, string | null> {
  const fields: Record<string, string | null> = {}
  names.forEach((name, position) => {
    const value = values[position] ?? ''
    fields[name] = missing.has(value) ? null : value
  })
  return fields
}

const newlinesIn = (field: string): number => (field.includes('\n') ? field.split('\n').length - 1 : 0)

async function* readFields(file: SourceFile): AsyncGenerator<string[], void, undefined> {
  let [rest, carry, line] = ['', '', 1]
  const parse = (text: string, isLast: boolean) => {
    const parser = new papaparse.Parser({ delimiter: ',', quoteChar: '"', newline: '\n' })
    const { data, errors, meta } = parser.parse(text, 0, !isLast) as {
      readonly data: string[][]
      readonly errors: readonly { readonly code: string; readonly row: number }[]
      readonly meta: { readonly cursor: number }
    }
    return { data, fault: errors[0], end: meta.cursor }
  }
  const check = (data: readonly string[][], fault: { readonly row: number; readonly code: string } | undefined) => {
    if (!fault) return
    const before = data
      .slice(0, fault.row)
      .reduce((sum, row) => sum + 1 + row.reduce((lines, one) => lines + newlinesIn(one), 0), 0)
    const isOpen = fault.code === 'MissingQuotes'
    throw sourceError(file, `line ${line + before}`, isOpen ? 'quoted field without end' : 'text after the end of a quoted field')
  }
  for await (const bytes of readUTF8(file)) {
    // Both line ends occur in one file. One that is cut between two pieces waits for the next piece.
    const text = carry + bytes.toString()
    carry = text.endsWith('\r') ? '\r' : ''
    rest += text.slice(0, text.length - carry.length).replaceAll('\r\n', '\n')
    const { data, fault, end } = parse(rest, false)
    check(data, fault)
    line += rest.slice(0, end).split('\n').length - 1
    rest = rest.slice(end)
    if (rest.length > 4_194_304)
      throw sourceError(file, `line ${line}`, 'a row of more than 4 MiB, or a quoted field without end')
    yield* data
  }
  if (rest === '') return
  const { data, fault } = parse(rest, true)
  check(data, fault)
  yield* data
}
