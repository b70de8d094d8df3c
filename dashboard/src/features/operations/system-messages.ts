/** Texts of the pages about an incident, signing keys, jobs, configuration, migrations and health. */
import { catalogue } from '../../i18n/messages.ts'
import type { messages as englishIncident } from './incident-en.ts'
import type { messages as englishKeys } from './keys-en.ts'
import type { messages as englishSystem } from './system-en.ts'

/** Of the pages about the system: jobs, configuration, migrations and health. */
export const systemMessages = catalogue<typeof englishSystem>({
  en: () => import('./system-en.ts'),
  de: () => import('./system-de.ts'),
})

export const keyMessages = catalogue<typeof englishKeys>({
  en: () => import('./keys-en.ts'),
  de: () => import('./keys-de.ts'),
})

/** Of the page about an incident. */
export const incidentMessages = catalogue<typeof englishIncident>({
  en: () => import('./incident-en.ts'),
  de: () => import('./incident-de.ts'),
})
