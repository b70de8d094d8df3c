/** Sign in and sign up with email and password. */
import { catalogue } from '../../i18n/messages.ts'
import { loadSocialMessages, usernameMessages } from '../../messages.ts'
import { type Screen, screenFolder } from '../../screens.ts'
import { canSignUp, onlyByPhone } from '../../settings.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

/** With the texts and marks of the providers, so that their buttons do not appear after the form. */
const preload: Screen<never>['preload'] = async (locale, { socialProviders }) => {
  if (socialProviders.length === 0) return
  await Promise.all([import('../../frame/social-sign-in.tsx'), loadSocialMessages(locale)])
}

export const emailPassword = screenFolder({
  messages,
  screens: [
    {
      path: '/sign-in',
      title: 'signIn',
      frame: 'hosted',
      access: 'optional-session',
      load: () => import('./sign-in.tsx'),
      preload,
      leadsTo: onlyByPhone,
    },
    {
      path: '/sign-up',
      title: 'signUp',
      frame: 'hosted',
      access: 'anyone',
      load: () => import('./sign-up.tsx'),
      preload: (locale, settings) =>
        Promise.all([preload(locale, settings), settings.username?.atSignUp ? usernameMessages.load(locale) : undefined]),
      exists: canSignUp,
    },
  ],
})
