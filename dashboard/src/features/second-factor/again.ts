import { factorErrors } from '../../messages/index.ts'
import type { SignInAgainMethod } from '../../session/sign-in-request.ts'
import { challengeMessages } from './challenge-messages.ts'
import { waysOf } from './ways.ts'

/** A code, in the dialog of an action that demands a second factor. */
export const factorAgain: SignInAgainMethod = {
  order: 20,
  proves: 'second-factor',
  exists: ({ factors }) => waysOf(factors).length > 0,
  load: async (locale) => {
    await Promise.all([challengeMessages.load(locale), factorErrors.load(locale)])
    return import('./sign-in-again.tsx')
  },
}
