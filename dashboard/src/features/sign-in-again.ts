/** How users sign in again in place, a line for each method. */
import type { SignInAgainMethod } from '../session/sign-in-request.ts'
import { passwordAgain } from './email-password/again.ts'
import { phoneAgain } from './phone-number/again.ts'
import { factorAgain } from './second-factor/again.ts'
import { passkeyAgain, passkeyFirst } from './second-factor/passkey-again.ts'
import { providerAgain } from './social-sign-in/again.ts'

export const signInAgainMethods: readonly SignInAgainMethod[] = [
  passwordAgain,
  providerAgain,
  phoneAgain,
  passkeyFirst,
  passkeyAgain,
  factorAgain,
].toSorted((one, other) => one.order - other.order)
