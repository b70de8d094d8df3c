/** Names of sign-in methods and second factors. What is not known here is shown as the server says it. */
import { useSettings } from '../../api/calls.ts'
import { useMessages } from '../../i18n/messages.ts'
import { policyMessages } from './policy-messages.ts'

const words = {
  password: 'password',
  passkey: 'passkey',
  social: 'social',
  'phone-number': 'phone',
  sms: 'phone',
  'email-code': 'emailCode',
  'magic-link': 'magicLink',
  anonymous: 'anonymous',
  totp: 'totp',
} as const

const isKnown = (name: string): name is keyof typeof words => name in words

/** @returns the name of a sign-in method, such as `social:github` */
export function useMethodName(): (method: string) => string {
  const t = useMessages(policyMessages)
  const { socialProviders } = useSettings()
  return (method) => {
    if (method === 'email') return t('email')
    const [kind, id] = method.split(':')
    const provider = socialProviders.find((one) => one.id === id)
    if (kind === 'social' && id !== undefined) return t('socialOf', { provider: provider?.name ?? id })
    return isKnown(method) ? t(words[method]) : method
  }
}

/** @returns the name of a second factor, such as `totp` */
export function useFactorName(): (factor: string) => string {
  const t = useMessages(policyMessages)
  return (factor) => (factor === 'email' ? t('emailCode') : isKnown(factor) ? t(words[factor]) : factor)
}
