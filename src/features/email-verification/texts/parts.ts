/** The list of what ended, in every language. */
import type { EndedNotice } from '../mails.ts'

export interface PartTexts {
  readonly password: string
  readonly phoneNumber: string
  readonly provider: (id: string) => string
  readonly sessions: (count: number) => string
  readonly apiKeys: (count: number) => string
  readonly passkeys: (count: number) => string
  readonly secondFactors: (count: number) => string
  readonly trustedBrowsers: (count: number) => string
}

const endedCounts = ['passkeys', 'secondFactors', 'trustedBrowsers', 'sessions', 'apiKeys'] as const

export const endedParts = ({ password, phoneNumber, providers, ...ended }: EndedNotice, texts: PartTexts): string[] => [
  ...(password ? [texts.password] : []),
  ...providers.map(texts.provider),
  ...(phoneNumber ? [texts.phoneNumber] : []),
  ...endedCounts.flatMap((name) => (ended[name] > 0 ? texts[name](ended[name]) : [])),
]
