/** Values of JSON files, one at a time: a realm of 2 GB does not fit into the memory. */
import { JSONParser } from '@streamparser/json'
import { readTextLines, readUTF8, type SourceFile, sourceError } from './source-file.ts'

export interface PlacedValue {
  /** From 1: of the line, or of the value in its list. */
  readonly number: number
  readonly place: string
  readonly value: unknown
}

/**
 * The members of a list in a JSON file.
 * @param path of the members: `$.users.*`, `$.*`
 * @param noun of a member, for messages
 * @throws SourceError when the file is not JSON, or ends inside a value
 */
export async function* readElements(file: SourceFile, path: string, noun: string): AsyncGenerator<PlacedValue, void, undefined> {
  const parser = new JSONParser({ paths: [path], keepStack: false })
  let found: PlacedValue[] = []
  let number = 0
  parser.onValue = ({ value }) => {
    number += 1
    found.push({ number, place: `${noun} ${number}`, value })
  }
  parser.onError = () => {}
  const complete = () => `after ${noun} ${number}`
  let length = 0
  for await (const bytes of readUTF8(file)) {
    try {
      if (parser.isEnded) {
        if (bytes.toString().trim() === '') continue
        throw new Error('text after the end of the document')
      }
      parser.write(bytes)
    } catch (error) {
      throw sourceError(file, complete(), `not valid JSON: ${reasonOf(error)}`)
    }
    length += bytes.length
    yield* found
    found = []
  }
  if (!parser.isEnded)
    throw sourceError(file, `byte ${length}`, `ends inside a value; ${noun} ${number} is the last complete one`, cutHint)
}

const cutHint = 'The file was cut off. Export it again.'

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message.replace(/ at chunk position "\d+"/, '') : '')

/** One document per line. @throws SourceError for a line that is not JSON */
export async function* readDocuments(file: SourceFile): AsyncGenerator<PlacedValue, void, undefined> {
  for await (const { number, text } of readTextLines(file)) {
    const place = `line ${number}`
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      throw sourceError(file, place, 'not valid JSON')
    }
    yield { number, place, value }
  }
}
