/** The ways to prove a second factor, as the API lists them. */
import type { PublicSettings } from '../../../../src/features/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { challengeMessages } from './challenge-messages.ts'

/** An entry of `methods`. */
export interface Factor {
  readonly type: string
  readonly channel?: 'sms' | 'email' | undefined
  /** Where a code is sent, shortened. */
  readonly to?: string | undefined
  /** Backup codes that are left. */
  readonly left?: number | undefined
}

export const wayNames = ['totp', 'sms', 'email', 'backup-code'] as const
export type WayName = (typeof wayNames)[number]

/** A factor that is proven by a code. */
export interface Way {
  readonly name: WayName
  readonly to: string
  readonly left: number
}

/** @returns those that are proven by a code, in the order of the API: the strongest first */
export const waysOf = (factors: readonly Factor[]): Way[] =>
  factors.flatMap(({ type, channel, to = '', left = 0 }) => {
    const name = wayNames.find((known) => known === (type === 'otp' ? channel : type))
    return name ? [{ name, to, left }] : []
  })

/** Whether its code is sent on request. */
export const isSent = (name: WayName): name is 'sms' | 'email' => name === 'sms' || name === 'email'

/** Seconds in which a code is sent at most once this way. */
export const pauseOf = (name: WayName, settings: PublicSettings['twoFactor']): number =>
  isSent(name) ? (settings?.resendAfter[name] ?? 0) : 0

/** The call that verifies a code. */
export const verifyCalls = {
  totp: 'POST /two-factor/verify-totp',
  sms: 'POST /two-factor/verify-otp',
  email: 'POST /two-factor/verify-otp',
  'backup-code': 'POST /two-factor/verify-backup-code',
} as const satisfies Record<WayName, string>

/** The errors of a code, which belong to its field. */
export const codeErrors = ['INVALID_CODE', 'OTP_HAS_EXPIRED', 'INVALID_BACKUP_CODE', 'BACKUP_CODES_ARENT_ENABLED'] as const
export const tooManyAttempts = 'TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE'
export const challengeOver = 'INVALID_TWO_FACTOR_COOKIE'

/** What is entered or sent, and what a way is called in a list. */
export function useWayTexts() {
  const t = useMessages(challengeMessages)
  const leads = {
    totp: () => t('totpLead'),
    sms: ({ to }: Way) => t('smsLead', { to }),
    email: ({ to }: Way) => t('emailLead', { to }),
    'backup-code': () => t('backupLead'),
  }
  const names = {
    totp: () => t('totpWay'),
    sms: ({ to }: Way) => t('smsWay', { to }),
    email: ({ to }: Way) => t('emailWay', { to }),
    'backup-code': ({ left }: Way) => t('backupWay', { count: left }),
  }
  return {
    lead: (way: Way, hasCode: boolean): string => {
      if (!hasCode || !isSent(way.name)) return leads[way.name](way)
      return t(way.name === 'sms' ? 'smsSent' : 'emailSent', { to: way.to })
    },
    name: (way: Way): string => names[way.name](way),
  }
}
