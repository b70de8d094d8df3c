/** Sign-in with a provider: a button each. */
import { type FormDeclaration, useSettings } from '../../hosted/page.ts'
import { ProviderButtons, startSocial } from '../../hosted/providers.tsx'
import type { SignInMethod } from '../../hosted/sign-in-method.ts'

const forms: readonly FormDeclaration[] = [startSocial]

function Providers() {
  return <ProviderButtons providers={useSettings().socialProviders} />
}

export const socialSignIn: SignInMethod = {
  order: 20,
  kind: 'button',
  exists: ({ socialProviders }) => socialProviders.length > 0,
  forms,
  View: Providers,
}
