/** Lines of bytes that arrive in pieces, in bounded memory. */

export interface Line {
  /** From 1. Blank lines are counted and skipped. */
  readonly number: number
  /** Null for a line that is too long or not UTF-8. */
  readonly text: string | null
  /** Position after this line, in bytes. */
  readonly end: number
}

const maxLineBytes = 1_048_576
const newline = 0x0a

/**
 * @param chunks bytes, cut anywhere
 * @param before the line before the first chunk
 * @param longest bytes of a line
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  before: Pick<Line, 'number' | 'end'> = { number: 0, end: 0 },
  longest = maxLineBytes,
): AsyncGenerator<Line, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let { number, end: position } = before
  let rest: Buffer[] = []
  let length = 0
  const end = (newlines: number): Line | null => {
    number += 1
    position += length + newlines
    const text = length > longest ? null : decode(decoder, Buffer.concat(rest))
    rest = []
    length = 0
    return text?.trim() === '' ? null : { number, text, end: position }
  }
  const add = (bytes: Buffer): void => {
    length += bytes.length
    if (length <= longest) rest.push(bytes)
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      add(chunk.subarray(from, at))
      from = at + 1
      const line = end(1)
      if (line) yield line
    }
    add(chunk.subarray(from))
  }
  const last = length > 0 ? end(0) : null
  if (last) yield last
}

function decode(decoder: Pick<InstanceType<typeof TextDecoder>, 'decode'>, bytes: Buffer): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}
