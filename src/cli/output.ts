/**
 * Where a command writes. Data goes to standard output, everything else to standard error. With --json the data is one
 * document with the name of its schema (`seed/v1`), or one per line for streams; a failure is a document too (`error/v1`).
 */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import type { Environment } from './environment.ts'

export interface Streams {
  readonly stdin: { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean }
  readonly stderr: Writable & { readonly isTTY?: boolean }
}

export interface OutputOptions {
  readonly json: boolean
  readonly quiet: boolean
  readonly debug: boolean
  /** False for --no-color. */
  readonly color: boolean
  readonly env: Environment
  readonly streams: Streams
}

type Paint = (text: string) => string
/** Colours that fall away where they are not wanted; never the only carrier of a meaning. */
export interface Palette {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
}

export interface Output {
  readonly json: boolean
  readonly debug: boolean
  /** Standard output is a terminal that understands colours and cursor movements. */
  readonly isTerminal: boolean
  /** For text that goes to standard output. */
  readonly paint: Palette
  /**
   * The outcome of the command: with --json `{ schema, …data }`, once; else the text.
   * @param schema name and version, such as `seed/v1`
   */
  result(schema: string, data: object, text: string | readonly string[]): void
  /** One of many: with --json a line `{ schema, …data }`; else the text. */
  record(schema: string, data: object, text: string): void
  /** For streams: resolves when the reader has taken enough of what was written, or is gone. */
  drained(): Promise<void>
  /** Data that is no JSON, as it is: a completion script, lines of a log. Not for --json. */
  write(text: string): void
  /** Progress, on standard error; not with --quiet. */
  info(text: string): void
  /** Something was done, on standard error; not with --quiet. */
  success(text: string): void
  /** On standard error, always. */
  warn(text: string): void
  /** On standard error, always: for lines that belong to a failure. */
  error(text: string): void
  /** The first line of a failure, on standard error. */
  failure(text: string): void
  /** Whether anything was written to standard output. */
  hasWritten(): boolean
  /** Aborted when nobody reads standard output any more; what is written then is lost, and that is no failure. */
  readonly closed: AbortSignal
}

const plain: Palette = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }
function same(text: string): string {
  return text
}

type Style = Parameters<typeof styleText>[0]
const painter =
  (style: Style): Paint =>
  (text) =>
    styleText(style, text, { validateStream: false })
const colours: Palette = {
  bold: painter('bold'),
  dim: painter('dim'),
  red: painter('red'),
  green: painter('green'),
  yellow: painter('yellow'),
  cyan: painter('cyan'),
}

/** https://no-color.org: any value that is not empty. */
const hasColours = (stream: { readonly isTTY?: boolean }, { color, env }: OutputOptions): boolean =>
  color && stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'

export function createOutput(options: OutputOptions): Output {
  const { json, debug, streams, env } = options
  const closed = watchReader(streams)
  let written = false
  const write = (text: string): void => {
    written = true
    streams.stdout.write(text)
  }
  const document = (schema: string, data: object): string => JSON.stringify({ schema, ...data })
  return {
    json,
    debug,
    isTerminal: streams.stdout.isTTY === true && env.TERM !== 'dumb',
    paint: hasColours(streams.stdout, options) ? colours : plain,
    result: (schema, data, text) => {
      const lines = [text].flat()
      if (json) write(`${document(schema, data)}\n`)
      else if (lines.length > 0) write(`${lines.join('\n')}\n`)
    },
    record: (schema, data, text) => write(`${json ? document(schema, data) : text}\n`),
    drained: () => waitForReader(streams.stdout, closed),
    write,
    ...createNotes(options),
    hasWritten: () => written,
    closed,
  }
}

async function waitForReader(stdout: Writable, closed: AbortSignal): Promise<void> {
  if (!stdout.writableNeedDrain || closed.aborted) return
  await once(stdout, 'drain', { signal: closed }).catch((error: unknown) => {
    if (!closed.aborted) throw error
  })
}

/** What goes to standard error. */
function createNotes(options: OutputOptions): Pick<Output, 'info' | 'success' | 'warn' | 'error' | 'failure'> {
  const { quiet, streams } = options
  const paint = hasColours(streams.stderr, options) ? colours : plain
  const write = (text: string): void => void streams.stderr.write(`${text}\n`)
  return {
    info: (text) => {
      if (!quiet) write(text)
    },
    success: (text) => {
      if (!quiet) write(`${paint.green('✓')} ${text}`)
    },
    warn: (text) => write(`${paint.yellow('!')} ${text}`),
    error: write,
    failure: (text) => write(`${paint.red('✗')} ${text}`),
  }
}

/** A closed pipe is the reader's decision and no failure of ours. */
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
