import { passkeyErrors } from '../../messages/index.ts'
import type { SignInAgainMethod } from '../../session/sign-in-request.ts'

/** A passkey, in the dialog of an action that demands a second factor. */
export const passkeyAgain: SignInAgainMethod = {
  order: 10,
  proves: 'second-factor',
  exists: ({ factors }) => 'PublicKeyCredential' in globalThis && factors.some(({ type }) => type === 'passkey'),
  load: async (locale) => {
    // On demand: few pages need its texts.
    const { signInMessages } = await import('./passkey-messages.ts')
    await Promise.all([signInMessages.load(locale), passkeyErrors.load(locale)])
    return import('./passkey-sign-in-again.tsx')
  },
}
