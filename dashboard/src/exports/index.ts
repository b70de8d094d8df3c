/** Files with the rows of a list, read page by page. */
import { catalogue } from '../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const exportMessages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

/** Rows of a file: what a browser can hold in memory; the command line has no such limit. */
export const mostRows = 50_000

export interface FileFormat {
  readonly name: string
  /** Also the extension of the file. */
  readonly id: 'csv' | 'ndjson'
  readonly encode: (rows: readonly object[]) => Promise<Blob>
}

export const ndjson: FileFormat = {
  name: 'NDJSON',
  id: 'ndjson',
  encode: async (rows) =>
    new Blob(
      rows.map((row) => `${JSON.stringify(row)}\n`),
      { type: 'application/x-ndjson' },
    ),
}

const cell = (value: unknown): unknown => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)

/** For spreadsheets (RFC 4180), which must not run a cell as a formula (OWASP: CSV injection) and read UTF-8 only after a mark. */
export const csv: FileFormat = {
  name: 'CSV',
  id: 'csv',
  encode: async (rows) => {
    const { default: papaparse } = await import('papaparse')
    const fields = [...new Set(rows.flatMap(Object.keys))]
    const data = rows.map((row) => fields.map((name) => cell(Reflect.get(row, name))))
    return new Blob(['\uFEFF', papaparse.unparse({ fields, data }, { escapeFormulae: true }), '\r\n'], { type: 'text/csv' })
  },
}
