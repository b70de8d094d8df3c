import { loadSocialMessages } from '../../messages/index.ts'
import type { Known, SignInAgainMethod } from '../../session/sign-in-request.ts'

/** All of them when it is not known which are linked. */
export const linkedProviders = ({ settings, accounts }: Pick<Known, 'settings' | 'accounts'>) =>
  settings.socialProviders.filter(({ id }) => accounts?.some(({ providerId }) => providerId === id) ?? true)

export const providerAgain: SignInAgainMethod = {
  order: 10,
  exists: (known) => linkedProviders(known).length > 0,
  load: async (locale) => {
    await loadSocialMessages(locale)
    return import('./sign-in-again.tsx')
  },
}
