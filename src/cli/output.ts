/**
 * The output of a command. Data goes to standard output, everything else to standard error. With --json the data is one
 * document with the name of its schema (`seed/v1`), or one per line for streams; a failure is a document too (`error/v1`).
 */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters, styleText } from 'node:util'
import { maskSecrets } from '../lib/redact.ts'
import { counted } from '../lib/text.ts'
import type { Environment } from '../project/environment.ts'
import { Failure } from '../project/failure.ts'
import { createTyped, type Typed } from './invocation.ts'

export interface Streams {
  readonly stdin: AsyncIterable<Buffer | string> & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean }
}

export interface OutputOptions {
  readonly json: boolean
  readonly quiet: boolean
  readonly debug: boolean
  /** False for --no-color. */
  readonly color: boolean
  readonly env: Environment
  readonly cwd: string
  readonly streams: Streams
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow'
/** Functions that color text, or leave it plain. A color never carries meaning alone. */
export type Palette = Readonly<Record<Style, (text: string) => string>>

export type Output = ReturnType<typeof createOutput>

/** https://no-color.org: any value that is not empty. */
function createPalette(stream: { readonly isTTY?: boolean }, { color, env }: OutputOptions): Palette {
  const isColored = color && stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
  const paint = (style: Style) => (text: string) => (isColored ? styleText(style, text, { validateStream: false }) : text)
  return { bold: paint('bold'), dim: paint('dim'), red: paint('red'), green: paint('green'), yellow: paint('yellow') }
}

export function createOutput(options: OutputOptions) {
  const { json, debug, streams } = options
  const closed = watchReader(streams)
  let written = false
  const write = (text: string): void => {
    written = true
    streams.stdout.write(text)
  }
  const records = createRecords(streams.stdout, closed)
  const layout = createLayout(options)
  const document = (schema: string, data: object): string => JSON.stringify({ schema, ...data })
  return {
    json,
    debug,
    /**
     * The result of the command: with --json `{ schema, …data }`, once; otherwise the text.
     * @param schema name and version, such as `seed/v1`
     */
    result: (schema: string, data: object, text: string | readonly string[]): void => {
      const lines = [text].flat()
      if (json) write(`${document(schema, data)}\n`)
      else if (lines.length > 0) write(`${lines.join('\n')}\n`)
    },
    /** One of many results: with --json a line `{ schema, …data }`; otherwise the text. */
    record: (schema: string, data: object, text: string): void => {
      written = true
      records.write(`${json ? document(schema, data) : text}\n`)
    },
    findStop: records.findStop,
    /** Resolves when the buffer of standard output is drained, or nothing reads it any more. */
    drained: () => waitForReader(streams.stdout, closed),
    /** Writes text unchanged, such as lines of a log. Not for --json. */
    write,
    ...layout,
    ...createNotes(options, layout.typed),
    hasWritten: () => written,
    /** Aborted when the reader of standard output has closed it. Later output is discarded, which is not a failure. */
    closed,
  }
}

/** Counts the records that are written, which may be fewer than those that were given. */
function createRecords(stdout: Writable, closed: AbortSignal) {
  let count = 0
  return {
    write: (line: string): void => {
      stdout.write(line, (error) => {
        if (!error) count += 1
      })
    },
    /**
     * Waits until all records are written. @param noun of a record, in the singular
     * @returns null, or how many were written before the reader of standard output closed it
     */
    findStop: async (noun: string): Promise<string | null> => {
      await new Promise((resolve) => stdout.write('', resolve))
      return closed.aborted ? `Stopped after ${counted(count, noun)}: the reader closed standard output` : null
    },
  }
}

/** The members that results on standard output are written with. */
const createLayout = (options: OutputOptions) => ({
  /** Standard output is a terminal with colors and cursor movement. */
  isTerminal: options.streams.stdout.isTTY === true && options.env.TERM !== 'dumb',
  /** Colors for text on standard output. */
  paint: createPalette(options.streams.stdout, options),
  /** A line that breaks between words at the width of the terminal, and continues below the end of the prefix. */
  hang: (prefix: string, text: string): string => hang(prefix, text, options.streams.stdout),
  /** @param page of the documentation, such as `errors.md#lock-held` @returns its path */
  docs: (page: string): string => docsPath(page, options.cwd),
  /** A text with the commands in it as this user must type them. Notes and failures are changed already, results are not. */
  typed: createTyped(options),
})

function hang(prefix: string, text: string, { isTTY, columns }: Streams['stdout']): string {
  const indent = stripVTControlCharacters(prefix).length
  // Not in a terminal that is so narrow that the words would get a column each.
  const room = isTTY && columns && columns > 2 * indent ? columns - indent : Number.MAX_SAFE_INTEGER
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line === '' || stripVTControlCharacters(longer).length <= room) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return prefix + [...lines, line].join(`\n${' '.repeat(indent)}`)
}

async function waitForReader(stdout: Writable, closed: AbortSignal): Promise<void> {
  if (!stdout.writableNeedDrain || closed.aborted) return
  await once(stdout, 'drain', { signal: closed }).catch((error: unknown) => {
    if (!closed.aborted) throw error
  })
}

/** The methods that write to standard error. */
function createNotes(options: OutputOptions, typed: Typed) {
  const { quiet, streams } = options
  const paint = createPalette(streams.stderr, options)
  const write = (text: string): void => void streams.stderr.write(`${typed(text)}\n`)
  const writeUnlessQuiet = (text: string): void => (quiet ? undefined : write(text))
  return {
    /** Progress. */
    info: writeUnlessQuiet,
    /** A completed action. */
    success: (text: string): void => writeUnlessQuiet(`${paint.green('✓')} ${text}`),
    warn: (text: string): void => write(`${paint.yellow('!')} ${text}`),
    /** For lines that belong to a failure. */
    error: write,
    /** Lines of the log, as they are. */
    writeLog: (text: string): void => void streams.stderr.write(text),
    /** The first line of a failure. */
    failure: (text: string): void => write(`${paint.red('✗')} ${text}`),
  }
}

/** A reader may close the pipe early; that is not a failure. */
function watchReader({ stdout, stderr }: Streams): AbortSignal {
  const closing = new AbortController()
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      if (stream === stdout) closing.abort()
    })
  }
  return closing.signal
}

const docsFolder = fileURLToPath(new URL('../../docs', import.meta.url))

/** The page that explains a code. Failures of the command line have a heading each, those of the API have one together. */
function docsOf(code: string): string {
  const anchor = code.toLowerCase().replaceAll('_', '-')
  const page = join(docsFolder, 'errors.md')
  const isMissing = existsSync(page) && !readFileSync(page, 'utf8').includes(`\n## ${anchor}\n`)
  return `errors.md#${isMissing ? 'codes-of-the-api' : anchor}`
}

/**
 * The path of a page of the documentation, which the package contains; within the project relative to the working directory.
 * @param page such as `errors.md#lock-held`
 */
export function docsPath(page: string, cwd: string): string {
  if (!existsSync(docsFolder)) return `docs/${page}`
  const path = relative(cwd, join(docsFolder, page))
  return path.startsWith('..') ? join(docsFolder, page) : path
}

/** Prints the message, the details and the hint; with --json also one document on standard output. */
export function printFailure(failure: Failure, output: Output): void {
  const { code, message, hint, retryable, details, exitCode } = failure
  if (output.json && !output.hasWritten()) {
    const typed = details.map((detail) => (detail.hint ? { ...detail, hint: output.typed(detail.hint) } : detail))
    const advice = hint ? output.typed(hint) : null
    const data = { code, message, hint: advice, docs: output.docs(docsOf(code)), retryable, exitCode, details: typed }
    output.result('error/v1', data, [])
  }
  output.failure(message)
  for (const detail of details) {
    // The only detail may repeat the message.
    if (details.length === 1 && !detail.hint && message === `${detail.path}: ${detail.message}`) continue
    output.error(`  ${[detail.path, detail.message].filter(Boolean).join(': ')}`)
    if (detail.hint) output.error(`    ${detail.hint}`)
  }
  if (hint) output.error(hint)
  if (output.debug) output.error(stackOf(failure))
}

/** The stack of an error and of its causes, with secrets masked. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const own = error instanceof Failure && error.cause !== undefined ? '' : maskSecrets(error.stack ?? '')
  return [own, stackOf(error.cause)].filter(Boolean).join('\ncaused by ')
}
