/** The names of values in texts. */
import { placeholder } from '../src/lib/own-text.ts'

export const namesIn = (text: string): string[] => [...text.matchAll(placeholder)].map(([, name = '']) => name)

/** The names that are in all of these texts. */
export const inAll = (texts: readonly string[]): string[] =>
  [...new Set(texts.flatMap(namesIn))].filter((name) => texts.every((text) => namesIn(text).includes(name))).sort()
