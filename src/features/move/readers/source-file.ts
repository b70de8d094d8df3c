/** Files of other systems: bytes that are checked to be UTF-8, and the error that names the place of a fault. */
import { isUtf8 } from 'node:buffer'
import { type Line, readLines } from '../../../lib/lines.ts'

export interface SourceFile {
  /** For messages. */
  readonly name: string
  /** From its start; a file is read more than once. */
  readonly read: () => AsyncIterable<Buffer>
}

/** A file that cannot be read to its end. */
export interface SourceError extends Error {
  readonly name: 'SourceError'
  /** What the operator can do. */
  readonly hint: string | undefined
}

/** @param place such as `line 3` */
export const sourceError = (file: Pick<SourceFile, 'name'>, place: string | null, message: string, hint?: string): SourceError =>
  Object.assign(new Error(`${[file.name, place].filter(Boolean).join(', ')}: ${message}`), { name: 'SourceError' as const, hint })

export const isSourceError = (error: unknown): error is SourceError => error instanceof Error && error.name === 'SourceError'

const newline = 0x0a

/**
 * The bytes of a file without its byte order mark, in pieces that end between two characters.
 * @throws SourceError when it is UTF-16, or has bytes that are not UTF-8
 */
export async function* readUTF8(file: SourceFile): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer = Buffer.alloc(0)
  const place = { line: 1, column: 0 }
  let isStart = true
  for await (const chunk of file.read()) {
    let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    if (isStart && bytes.length >= 3) {
      bytes = withoutMark(file, bytes)
      isStart = false
    }
    const end = bytes.length - cutBytes(bytes)
    rest = bytes.subarray(end)
    if (end > 0) yield checked(file, bytes.subarray(0, end), place)
  }
  const last = isStart ? withoutMark(file, rest) : rest
  if (last.length > 0) yield checked(file, last, place)
}

function withoutMark(file: SourceFile, bytes: Buffer): Buffer {
  const [first, second, third] = bytes
  const order = first === 0xff && second === 0xfe ? 'LE' : first === 0xfe && second === 0xff ? 'BE' : null
  if (order) throw sourceError(file, null, `is UTF-16${order}, not UTF-8`, conversion('UTF-16', file))
  if (first !== 0 && second === 0 && third !== 0)
    throw sourceError(file, null, 'is UTF-16LE, not UTF-8', conversion('UTF-16LE', file))
  return first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(3) : bytes
}

const conversion = (encoding: string, { name }: SourceFile): string =>
  `Convert it: iconv -f ${encoding} -t UTF-8 ${name} > utf8-${name.split('/').at(-1)}`

/** How many bytes at the end belong to a character that is not complete. */
function cutBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}

/** @param place of the bytes before these; moved behind them */
function checked(file: SourceFile, bytes: Buffer, place: { line: number; column: number }): Buffer {
  if (!isUtf8(bytes)) throw notUTF8(file, bytes, place)
  const zero = bytes.indexOf(0)
  if (zero >= 0)
    throw sourceError(file, placeAt(bytes.subarray(0, zero), place), 'a null byte', 'The file is damaged. Export it again.')
  let [at, from] = [bytes.indexOf(newline), 0]
  for (; at >= 0; at = bytes.indexOf(newline, from)) {
    place.line += 1
    place.column = 0
    from = at + 1
  }
  place.column += bytes.length - from
  return bytes
}

function notUTF8(file: SourceFile, bytes: Buffer, before: { readonly line: number; readonly column: number }): SourceError {
  // The longest valid start, by halves.
  let [valid, invalid] = [0, bytes.length]
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1
    const start = bytes.subarray(0, middle)
    if (isUtf8(start.subarray(0, start.length - cutBytes(start)))) valid = middle
    else invalid = middle
  }
  const start = bytes.subarray(0, valid - cutBytes(bytes.subarray(0, valid)))
  return sourceError(file, placeAt(start, before), 'not UTF-8', `If it is Latin-1: ${conversion('ISO-8859-1', file)}`)
}

/** Where the byte after these is. */
function placeAt(start: Buffer, before: { readonly line: number; readonly column: number }): string {
  const lines = start.toString('latin1').split('\n')
  const inLine = (lines.at(-1)?.length ?? 0) + (lines.length === 1 ? before.column : 0)
  return `line ${before.line + lines.length - 1}, byte ${inLine + 1}`
}

/** @throws SourceError when a line is longer than 1 MiB, and those of `readUTF8` */
export async function* readTextLines(file: SourceFile): AsyncGenerator<Line & { readonly text: string }, void, undefined> {
  for await (const line of readLines(readUTF8(file))) {
    if (line.text === null) throw sourceError(file, `line ${line.number}`, 'longer than 1 MiB')
    yield { ...line, text: line.text }
  }
}

/** The text of a small file. @throws SourceError when it is longer than 1 MiB */
export async function readSmallFile(file: SourceFile): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of readUTF8(file)) {
    length += piece.length
    if (length > 1_048_576) throw sourceError(file, null, 'longer than 1 MiB')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** The first bytes, by which a reader sees what a file is. */
export async function readStart(file: SourceFile): Promise<string> {
  for await (const piece of readUTF8(file)) return piece.subarray(0, 4096).toString()
  return ''
}
