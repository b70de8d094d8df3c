/** Users of the instance, for administrators. */
import { Building2, FileText, Users } from 'lucide-react'
import type { PublicSettings } from '../../../../src/features/index.ts'
import { exportMessages } from '../../exports/index.ts'
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../routes/screens.ts'
import type { messages as english } from './en.ts'
import type { messages as englishOrganizations } from './organizations-en.ts'
import type { messages as englishUser } from './user-en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })
/** Those of the page of one user. */
export const userMessages = catalogue<typeof englishUser>({
  en: () => import('./user-en.ts'),
  de: () => import('./user-de.ts'),
})
/** Those of the organizations of the instance. */
export const organizationMessages = catalogue<typeof englishOrganizations>({
  en: () => import('./organizations-en.ts'),
  de: () => import('./organizations-de.ts'),
})

const loadEventTexts = (locale: string) => import('../../events/index.ts').then((events) => events.loadEventMessages(locale))

const every = {
  frame: 'admin',
  access: 'session',
  exists: ({ admin }: PublicSettings) => admin !== null,
} as const

export const admin = screenFolder({
  messages,
  screens: [
    {
      ...every,
      path: '/admin/users',
      title: 'users',
      load: () => import('./users.tsx'),
      preload: (locale) =>
        Promise.all([import('./first-page.ts').then(({ loadFirstPage }) => loadFirstPage()), exportMessages.load(locale)]),
      navigation: { icon: Users, order: 20, group: 'main', permission: ['user', 'list'] },
    },
    {
      ...every,
      path: '/admin/users/create',
      title: 'createUser',
      load: () => import('./create-user.tsx'),
      preload: userMessages.load,
    },
    {
      ...every,
      path: '/admin/users/$userId',
      title: 'user',
      load: () => import('./user.tsx'),
      preload: (locale) => Promise.all([userMessages.load(locale), loadEventTexts(locale)]),
    },
    {
      ...every,
      path: '/admin/terms',
      title: 'terms',
      exists: ({ admin, terms }) => admin !== null && terms !== null,
      load: () => import('./terms.tsx'),
      preload: (locale) =>
        Promise.all([
          import('./terms-messages.ts').then(({ termsMessages }) => termsMessages.load(locale)),
          exportMessages.load(locale),
        ]),
      navigation: { icon: FileText, order: 40, group: 'main', permission: ['terms', 'read'] },
    },
  ],
})

const ofOrganizations = {
  ...every,
  exists: ({ admin, organization }: PublicSettings) => admin !== null && organization !== null,
} as const

export const administeredOrganizations = screenFolder({
  messages: organizationMessages,
  screens: [
    {
      ...ofOrganizations,
      path: '/admin/organizations',
      title: 'organizations',
      load: () => import('./organizations.tsx'),
      navigation: { icon: Building2, order: 30, group: 'main', permission: ['organization', 'list'] },
    },
    {
      ...ofOrganizations,
      path: '/admin/organizations/$organizationId',
      title: 'organization',
      load: () => import('./organization.tsx'),
      preload: loadEventTexts,
    },
  ],
})
