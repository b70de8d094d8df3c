import { passkeyErrors } from '../../messages/index.ts'
import type { Known, SignInAgainMethod } from '../../session/sign-in-request.ts'

/** On demand: few pages need its texts. */
async function load(locale: string, isDemanded: boolean) {
  const { signInMessages } = await import('./passkey-messages.ts')
  await Promise.all([signInMessages.load(locale), passkeyErrors.load(locale)])
  const { mayHavePasskey, SignInAgain } = await import('./passkey-sign-in-again.tsx')
  return isDemanded || (await mayHavePasskey()) ? { SignInAgain } : null
}

const hasScreen = 'PublicKeyCredential' in globalThis

/** A passkey, in the dialog of an action that demands a second factor. */
export const passkeyAgain: SignInAgainMethod = {
  order: 10,
  proves: 'second-factor',
  exists: ({ factors }) => hasScreen && factors.some(({ type }) => type === 'passkey'),
  load: (locale) => load(locale, true),
}

/** A passkey in place of the password. */
export const passkeyFirst: SignInAgainMethod = {
  order: 5,
  exists: ({ settings }: Known) => hasScreen && settings.passkey !== null,
  load: (locale) => load(locale, false),
}
