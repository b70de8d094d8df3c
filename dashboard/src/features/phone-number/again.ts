import { phoneMessages } from '../../messages/index.ts'
import type { SignInAgainMethod } from '../../session/sign-in-request.ts'

/** For users who have no other sign-in method. */
export const phoneAgain: SignInAgainMethod = {
  order: 30,
  exists: ({ settings, user, accounts }) =>
    settings.phoneNumber?.codes === true && user?.phoneNumberVerified === true && accounts?.length === 0,
  load: async (locale) => {
    await phoneMessages.load(locale)
    return import('./sign-in-again.tsx')
  },
}
