/** The state of the instance, for operators: outgoing emails, limits, signing keys, jobs, configuration, migrations and health. */
import type { PublicSettings } from '../../../../src/features/index.ts'
import { catalogue } from '../../i18n/messages.ts'
import { screenFolder } from '../../screens.ts'
import type { messages as english } from './en.ts'
import type { messages as englishKeys } from './keys-en.ts'
import type { messages as englishSystem } from './system-en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })
/** Of the pages about the system: jobs, configuration, migrations and health. */
export const systemMessages = catalogue<typeof englishSystem>({
  en: () => import('./system-en.ts'),
  de: () => import('./system-de.ts'),
})

export const keyMessages = catalogue<typeof englishKeys>({
  en: () => import('./keys-en.ts'),
  de: () => import('./keys-de.ts'),
})

const every = {
  frame: 'admin',
  access: 'session',
  exists: ({ admin }: PublicSettings) => admin !== null,
} as const
const system = { ...every, preload: systemMessages.load } as const

export const operations = screenFolder({
  messages,
  screens: [
    {
      ...every,
      path: '/admin/limits',
      title: 'limits',
      load: () => import('./limits.tsx'),
      navigation: { icon: 'limits', group: 'security', permission: ['limit', 'list'] },
    },
    {
      ...every,
      path: '/admin/signing-keys',
      title: 'signingKeys',
      exists: ({ admin, jwt }: PublicSettings) => admin !== null && jwt,
      load: () => import('./signing-keys.tsx'),
      preload: keyMessages.load,
      navigation: { icon: 'signingKeys', group: 'security', permission: ['signingKey', 'list'] },
    },
    {
      ...every,
      path: '/admin/mails',
      title: 'mails',
      load: () => import('./mails.tsx'),
      navigation: { icon: 'mails', group: 'system', permission: ['mail', 'list'] },
    },
    {
      ...system,
      path: '/admin/jobs',
      title: 'jobs',
      load: () => import('./jobs.tsx'),
      navigation: { icon: 'jobs', group: 'system', permission: ['system', 'read'] },
    },
    {
      ...system,
      path: '/admin/configuration',
      title: 'configuration',
      load: () => import('./configuration.tsx'),
      navigation: { icon: 'configuration', group: 'system', permission: ['system', 'read'] },
    },
    {
      ...system,
      path: '/admin/migrations',
      title: 'migrations',
      load: () => import('./migrations.tsx'),
      navigation: { icon: 'migrations', group: 'system', permission: ['system', 'read'] },
    },
    {
      ...system,
      path: '/admin/health',
      title: 'health',
      load: () => import('./health.tsx'),
      navigation: { icon: 'health', group: 'system', permission: ['system', 'read'] },
    },
  ],
})
