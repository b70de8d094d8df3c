/** Lists of any length: one record per line, on a terminal the first of them. */
import { counted } from '../lib/text.ts'
import { type Context, option, wholeNumber } from './command.ts'
import type { Output } from './output.ts'

const pageRows = 50
const maxCounted = 100_000
const widestColumn = 40

/** @param nouns such as `users` */
export const limitOption = (nouns: string) =>
  option('--limit <n>', `Maximum number of ${nouns} [${pageRows} on a terminal, otherwise no limit]`, (z) =>
    wholeNumber(z, 1, 1_000_000_000).optional(),
  )

export const afterOption = option('--after <id>', 'Continue after this ID, the last one of the previous page', (z) =>
  z.string().max(64, 'expected an ID').optional(),
)

interface ListOptions<T> {
  /** Of each document, such as `users-list/v1`. */
  readonly schema: string
  /** In the singular. */
  readonly noun: string
  /** On a terminal, above the first line. */
  readonly heading: readonly string[]
  /** The value of `--limit`. */
  readonly limit: number | undefined
  /** The document and the cells of a record. */
  readonly describe: (record: T) => readonly [document: object, cells: readonly string[]]
}

/** Prints records as they come, in constant memory. The last line says how many there are, or how many more. */
export async function printList<T>(
  { output, signal }: Pick<Context, 'output' | 'signal'>,
  records: AsyncIterable<T>,
  { schema, noun, heading, limit: given, describe }: ListOptions<T>,
): Promise<void> {
  const isPage = output.isTerminal && !output.json
  const limit = given ?? (isPage ? pageRows : Number.MAX_SAFE_INTEGER)
  // Only for a terminal without --limit: counting reads the records that are not shown.
  const countedEnd = isPage && given === undefined ? limit + maxCounted : limit
  const print = isPage ? createTable(output, schema, heading) : createLines(output, schema)
  let count = 0
  for await (const record of records) {
    signal.throwIfAborted()
    count += 1
    if (count > limit) {
      if (count > countedEnd) break
      continue
    }
    print.row(...describe(record))
    await output.drained()
    if (count >= countedEnd || output.closed.aborted) break
  }
  print.end()
  const stop = await output.findStop(noun)
  if (!output.json) output.info(stop ?? summary(count, { limit, isBounded: count > countedEnd, noun }))
}

interface Rows {
  readonly row: (document: object, cells: readonly string[]) => void
  readonly end: () => void
}

const separator = '  '

const createLines = ({ record }: Output, schema: string): Rows => ({
  row: (document, cells) => record(schema, document, cells.join(separator)),
  end: () => {},
})

/** On a terminal, columns are as wide as the first rows need. */
function createTable({ record, write, paint }: Output, schema: string, heading: readonly string[]): Rows {
  let waiting: (readonly [document: object, cells: readonly string[]])[] | null = []
  let widths: readonly number[] = []
  const align = (cells: readonly string[]) =>
    cells.map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join(separator)
  const start = (rows: NonNullable<typeof waiting>) => {
    const lengths = (column: number) => [heading, ...rows.map(([, cells]) => cells)].map((cells) => cells[column]?.length ?? 0)
    widths = heading.map((_, column) => Math.min(Math.max(...lengths(column)), widestColumn))
    write(`${paint.dim(align(heading))}\n`)
    for (const [document, cells] of rows) record(schema, document, align(cells))
    waiting = null
  }
  return {
    row: (document, cells) => {
      if (waiting === null) return record(schema, document, align(cells))
      waiting.push([document, cells])
      if (waiting.length === pageRows) start(waiting)
    },
    end: () => {
      if (waiting) start(waiting)
    },
  }
}

interface Shown {
  readonly limit: number
  readonly isBounded: boolean
  readonly noun: string
}

function summary(count: number, { limit, isBounded, noun }: Shown): string {
  if (count <= limit) return counted(count, noun)
  const more = `${isBounded ? 'more than ' : ''}${(count - limit - Number(isBounded)).toLocaleString('en')}`
  return `… ${more} more: --limit <n> shows more of them, --search finds one`
}
