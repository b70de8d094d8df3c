/** Texts of the operator, which replace those of the catalogues (`dashboard.texts`). */
import type { OwnText, OwnTexts } from '../../../src/core/own-text.ts'
import type { Format } from './format.ts'

export type { OwnTexts } from '../../../src/core/own-text.ts'

const state: { texts: OwnTexts } = { texts: {} }

export const ownTexts = (): OwnTexts => state.texts

/** From now on, these texts replace those of the catalogues. */
export function setOwnTexts(texts: OwnTexts): void {
  state.texts = texts
}

/** The same while `work` runs, which is not asynchronous: on the server, which renders pages of several installations. */
export function withOwnTexts<T>(texts: OwnTexts, work: () => T): T {
  const former = state.texts
  state.texts = texts
  try {
    return work()
  } finally {
    state.texts = former
  }
}

/** The text with the values in place of their names. */
export function fillText({ forms, text, formats = {} }: OwnText, values: object, format: Format): string {
  const read = (name: string): unknown => (values as Readonly<Record<string, unknown>>)[name]
  const chosen = forms ? format.plural(Number(read(forms.by)), forms.texts) : (text ?? '')
  return chosen.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = read(name)
    if (value === undefined) return whole
    const kind = Object.hasOwn(formats, name) ? formats[name] : undefined
    if (kind !== undefined && kind in format) return (format[kind as 'date'] as (value: unknown) => string)(value)
    return typeof value === 'number' ? format.number(value) : String(value)
  })
}
