/** Texts of the page with the sign-in policy, which load with it. */
import { catalogue } from '../../i18n/messages.ts'
import type { messages as english } from './policy-en.ts'

export const policyMessages = catalogue<typeof english>({
  en: () => import('./policy-en.ts'),
  de: () => import('./policy-de.ts'),
})
