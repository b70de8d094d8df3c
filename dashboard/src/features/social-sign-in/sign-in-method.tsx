/** Sign-in with a provider: a button each. */
import { type FormDeclaration, useSettings } from '../../hosted/page.ts'
import { ProviderButtons, startSocial } from '../../hosted/providers.tsx'
import type { SignInMethod } from '../../hosted/sign-in-method.ts'
import { socialMessages } from '../../messages/index.ts'

const forms: readonly FormDeclaration[] = [startSocial]

function Providers() {
  return <ProviderButtons providers={useSettings().socialProviders} />
}

export const socialSignIn: SignInMethod = {
  names: ['social'],
  order: 25,
  kind: 'button',
  exists: ({ socialProviders }) => socialProviders.length > 0,
  isLast: (lastMethod, { socialProviders }) => socialProviders.some(({ id }) => id === lastMethod),
  forms,
  View: Providers,
  phrase: (locale, lastMethod, { socialProviders }) => {
    const provider = socialProviders.find(({ id }) => id === lastMethod)?.name ?? lastMethod
    return socialMessages.translate(locale)('withProvider', { provider })
  },
}
