/** The texts that operators can replace; `npm run docs` writes the list from the texts themselves. */
import { readFileSync } from 'node:fs'
import type { TextValue } from '../../lib/own-text.ts'

export interface TextEntry {
  /** In English. */
  readonly text: TextValue
  /** The names that it may contain. */
  readonly values: readonly string[]
  /** The names that each form of it must contain. */
  readonly required?: readonly string[]
  /** The value whose number chooses the form. */
  readonly plural?: string
  /** Values by which Latchkey writes another text: forms of a text can be chosen by them. */
  readonly varies?: readonly string[]
  /** How values are written, by name: such as `date`. */
  readonly formats?: Readonly<Record<string, string>>
}

const known: { list?: ReadonlyMap<string, TextEntry> } = {}

/** By key: `<catalogue>.<key>`, `mail.<kind>.<part>` and `text.<kind>`. Read when it is needed first. */
export function textList(): ReadonlyMap<string, TextEntry> {
  known.list ??= new Map(
    Object.entries(JSON.parse(readFileSync(new URL('texts.json', import.meta.url), 'utf8')) as Record<string, TextEntry>),
  )
  return known.list
}
