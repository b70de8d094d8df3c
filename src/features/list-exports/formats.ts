/** The formats of exported files. */
import papaparse from 'papaparse'

/** Rows as text, with the head of the file before the first of them. */
interface Format {
  readonly contentType: string
  readonly encode: (rows: readonly object[], columns: readonly string[], isStart: boolean) => string
}

const cell = (value: unknown): unknown => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)

/** For spreadsheets (RFC 4180), which must not run a cell as a formula (OWASP: CSV injection) and read UTF-8 only after a mark. */
const csv: Format = {
  contentType: 'text/csv; charset=utf-8',
  encode: (rows, columns, isStart) => {
    const data = rows.map((row) => columns.map((name) => cell(Reflect.get(row, name))))
    const lines = papaparse.unparse({ fields: [...columns], data }, { escapeFormulae: true, header: isStart })
    return `${isStart ? '\uFEFF' : ''}${lines}\r\n`
  },
}

/** One JSON object per line. */
const ndjson: Format = {
  contentType: 'application/x-ndjson',
  encode: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
}

export const formats = { csv, ndjson } as const
export type FormatName = keyof typeof formats
export const formatNames = Object.keys(formats) as [FormatName, ...FormatName[]]

/** Characters of a part, which always fit into a text column. */
const partLength = 16_000

/** The parts of a text, with whole characters only. */
export function partsOf(content: string): string[] {
  const parts: string[] = []
  for (let from = 0; from < content.length; ) {
    const end = from + partLength
    // Not between the halves of a surrogate pair.
    const to = /[\uD800-\uDBFF]/.test(content.charAt(end - 1)) ? end - 1 : end
    parts.push(content.slice(from, to))
    from = to
  }
  return parts
}
