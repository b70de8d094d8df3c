import { apiURL } from '../../core/base-url.ts'
import type { Config } from '../index.ts'

/** Whom a password is for. */
export interface PasswordOwner {
  readonly email?: string | null
  readonly name?: string | null
}

/** Shorter words, such as "Ann", stand in too many others. */
const shortestWord = 4
/** Characters that must remain beside the words: as many as the shortest password there can be. */
const shortestRemainder = 8

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u)

/** Words that the owner, or everybody, would try first: of the service and of the person (ASVS 6.2.11). */
export function contextWords(config: Config, owner: PasswordOwner): string[] {
  const { hostname } = new URL(apiURL(config))
  const localPart = owner.email?.split('@')[0] ?? ''
  const texts = [config.appName, hostname, localPart, owner.name ?? '']
  const words = texts.flatMap((text) => [text, text.replaceAll(/[^\p{L}\p{N}]+/gu, ''), ...wordsOf(text)])
  const folded = words.map(fold).filter((word) => word.length >= shortestWord)
  // The longest first: of "annsmith" and "smith" the first must be taken out whole.
  return [...new Set(folded)].sort((one, other) => other.length - one.length)
}

/** Whether so little remains beside the words that the words are the password. */
export function isMadeOf(words: readonly string[], password: string): boolean {
  const folded = fold(password)
  const remainder = words.reduce((rest, word) => rest.replaceAll(word, ''), folded)
  return remainder !== folded && remainder.length < shortestRemainder
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase()
