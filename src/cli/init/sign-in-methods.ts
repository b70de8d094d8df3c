/** The sign-in methods of a new configuration: words for the built-in ones, and IDs of social providers. */
import { suggest } from '../../lib/input-errors.ts'
import { providerIDs } from './social-providers.ts'

const builtIn = ['password', 'passkey', 'magic-link', 'email-code'] as const
type Method = (typeof builtIn)[number]

interface ChosenMethods {
  readonly has: (method: Method) => boolean
  /** IDs of providers, separated by commas. */
  readonly social: string
}

const isMethod = (word: string): boolean => builtIn.some((method) => method === word)
const wordsOf = (given: string): string[] => given.split(/[\s,]+/).filter(Boolean)

/** @param given words, separated by commas or spaces; empty for passwords only. Checked by `methodsIssue` */
export function readMethods(given: string): ChosenMethods {
  const words = given.trim() === '' ? ['password'] : wordsOf(given)
  return { has: (method) => words.includes(method), social: words.filter((word) => !isMethod(word)).join(',') }
}

/** @returns an error message for a word that is neither a method nor a provider */
export function methodsIssue(given: string): string | undefined {
  const known = [...builtIn, ...providerIDs]
  const unknown = wordsOf(given).find((word) => !known.includes(word))
  if (unknown === undefined) return undefined
  return `There is no sign-in method ${unknown}. ${suggest(unknown, known).hint ?? `Use some of ${known.join(', ')}.`}`
}

/** The lines of `auth.config.ts` for methods by email. They need mail, which `latchkey dev` catches. */
export const emailMethodsConfig = ({ has }: ChosenMethods): string =>
  [
    has('magic-link') ? '  // Users sign in with a link in an email: docs/magic-links.md.\n  magicLink: true,\n' : '',
    has('email-code') ? '  // Users sign in with a code in an email: docs/email-codes.md.\n  emailOTP: true,\n' : '',
  ].join('')
