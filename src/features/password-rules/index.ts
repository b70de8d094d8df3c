/** Rules for new passwords: not a common or breached one, and not made of words about the user (SP 800-63B-4 §3.1.1.2). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { section } from '../../core/config.ts'
import { ApiError, defineErrors, type ErrorEntry, errors as kernelErrors, parameterError } from '../../core/errors.ts'
import { apiURL } from '../../core/route.ts'
import { isBreached } from '../../lib/breached-passwords.ts'
import { isPwned, errors as pwnedErrors } from '../haveibeenpwned/index.ts'
import type { Config } from '../index.ts'

export const config = {
  passwordRules: section('Rules for new passwords, in addition to their length', {
    blockCommon: z.boolean().default(true).describe('Reject passwords from the bundled list of common and breached ones'),
    contextWords: z
      .boolean()
      .default(true)
      .describe('Reject passwords made of the user’s name or email address, or of the name or host of this service'),
  }),
}

const rejections = defineErrors({
  PASSWORD_COMPROMISED: [400, 'The password you entered has been compromised. Please choose a different password.'],
  PASSWORD_TOO_PERSONAL: [400, 'The password is made of words about you or this site. Please choose a different password.'],
})

/** Of every call that sets a password. */
export const errors = { ...rejections, ...pwnedErrors }

/** What is known of the user who gets the password. */
export interface PasswordOwner {
  readonly email?: string | null
  readonly name?: string | null
}

/**
 * Checks a new password before it is hashed. Its length is checked elsewhere, because on the wire other checks come in between.
 * @throws ApiError PASSWORD_COMPROMISED, PASSWORD_TOO_PERSONAL, those of `isPwned`; VALIDATION_ERROR for a text that is not
 * well-formed, because all lone surrogates are the same character once it is encoded: another password would match
 */
export async function checkNewPassword(app: App, password: string, owner: PasswordOwner): Promise<void> {
  if (!password.isWellFormed()) throw parameterError(kernelErrors.VALIDATION_ERROR, ['password'])
  const { enabled, blockCommon } = app.config.passwordRules
  if (enabled && blockCommon && isBreached(password)) throw new ApiError(compromised(app.config))
  checkPersonalWords(app, password, owner)
  // Last, so that nothing is sent about a password that is rejected anyway.
  if (await isPwned(app, password)) throw new ApiError(compromised(app.config))
}

/** The part of `checkNewPassword` that depends on the owner. @throws ApiError PASSWORD_TOO_PERSONAL */
export function checkPersonalWords({ config }: App, password: string, owner: PasswordOwner): void {
  const { enabled, contextWords: withWords } = config.passwordRules
  if (enabled && withWords && isMadeOf(contextWords(config, owner), password)) throw new ApiError(errors.PASSWORD_TOO_PERSONAL)
}

function compromised({ haveIBeenPwned }: Config): ErrorEntry {
  const { message } = errors.PASSWORD_COMPROMISED
  return { ...errors.PASSWORD_COMPROMISED, message: haveIBeenPwned.customPasswordCompromisedMessage ?? message }
}

/** Shorter words, such as "Ann", are part of too many others. */
const minWordLength = 4
/** Characters that a password needs in addition to the words: the shortest length that any configuration allows. */
const minRemainderLength = 8

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u)

/** Words about the service and the user, which an attacker would try first (ASVS 6.2.11). */
function contextWords(config: Config, owner: PasswordOwner): string[] {
  const { hostname } = new URL(apiURL(config))
  const localPart = owner.email?.split('@')[0] ?? ''
  const texts = [config.appName, hostname, localPart, owner.name ?? '']
  const words = texts.flatMap((text) => [text, text.replaceAll(/[^\p{L}\p{N}]+/gu, ''), ...wordsOf(text)])
  const folded = words.map(fold).filter((word) => word.length >= minWordLength)
  // The longest first: of "annsmith" and "smith" the first must be removed as a whole.
  return [...new Set(folded)].sort((one, other) => other.length - one.length)
}

/** Whether fewer characters than required remain without the words. */
function isMadeOf(words: readonly string[], password: string): boolean {
  const folded = fold(password)
  const remainder = words.reduce((rest, word) => rest.replaceAll(word, ''), folded)
  return remainder !== folded && remainder.length < minRemainderLength
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase()
