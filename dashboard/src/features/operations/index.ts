/** The state of the instance, for operators: outgoing emails, limits, signing keys, jobs, configuration, migrations and health. */
import { Gauge, KeySquare, Search, Send, Server, ShieldX } from 'lucide-react'
import { lazy } from 'react'
import type { PublicSettings } from '../../../../src/features/index.ts'
import { catalogue } from '../../i18n/messages.ts'
import { mailKindMessages } from '../../messages/mail-kinds.ts'
import { screenFolder } from '../../routes/screens.ts'
import type { messages as english } from './en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })
/** With the pages, so that no other one loads their texts. */
const systemTexts = () => import('./system-messages.ts')

const PendingLimits = lazy(() => import('./pending-count.tsx').then((module) => ({ default: module.PendingLimits })))
const PendingMails = lazy(() => import('./pending-count.tsx').then((module) => ({ default: module.PendingMails })))

const every = {
  frame: 'admin',
  access: 'session',
  exists: ({ admin }: PublicSettings) => admin !== null,
} as const
/** Tabs of one page. */
const systemTab = (order: number) =>
  ({
    ...every,
    preload: (locale: string) => systemTexts().then(({ systemMessages }) => systemMessages.load(locale)),
    navigation: { icon: Server, order, group: 'system', permission: ['system', 'read'], tabOf: 'system' },
  }) as const

export const operations = screenFolder({
  messages,
  screens: [
    {
      ...every,
      path: '/admin/limits',
      title: 'limits',
      load: () => import('./limits.tsx'),
      navigation: { icon: Gauge, order: 20, group: 'security', permission: ['limit', 'list'], notice: PendingLimits },
    },
    {
      ...every,
      path: '/admin/explain',
      title: 'explain',
      load: () => import('./explain.tsx'),
      preload: (locale) => import('./explain-texts.ts').then(({ messages: texts }) => texts.load(locale)),
      navigation: { icon: Search, order: 15, group: 'security', permission: ['event', 'list'] },
    },
    {
      ...every,
      path: '/admin/signing-keys',
      title: 'signingKeys',
      exists: ({ admin, jwt }: PublicSettings) => admin !== null && jwt,
      load: () => import('./signing-keys.tsx'),
      preload: (locale) => systemTexts().then(({ keyMessages }) => keyMessages.load(locale)),
      navigation: { icon: KeySquare, order: 30, group: 'security', permission: ['signingKey', 'list'] },
    },
    {
      ...every,
      path: '/admin/mails',
      title: 'mails',
      load: () => import('./mails.tsx'),
      preload: mailKindMessages.load,
      navigation: { icon: Send, order: 10, group: 'system', permission: ['mail', 'list'], notice: PendingMails },
    },
    {
      ...every,
      path: '/admin/incident',
      title: 'incident',
      load: () => import('./incident.tsx'),
      preload: (locale) => systemTexts().then(({ incidentMessages }) => incidentMessages.load(locale)),
      navigation: { icon: ShieldX, order: 40, group: 'security', permission: ['incident', 'read'] },
    },
    { ...systemTab(20), path: '/admin/health', title: 'health', load: () => import('./health.tsx') },
    { ...systemTab(21), path: '/admin/jobs', title: 'jobs', load: () => import('./jobs.tsx') },
    { ...systemTab(22), path: '/admin/migrations', title: 'migrations', load: () => import('./migrations.tsx') },
    { ...systemTab(23), path: '/admin/configuration', title: 'configuration', load: () => import('./configuration.tsx') },
  ],
})
