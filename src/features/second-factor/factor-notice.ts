/** What notices of second factors and of passkeys have in common: who, when, from where, and what to do. */
import type { MailContent, TextContext } from '../../core/message.ts'
import { hostedURL } from '../dashboard/index.ts'
import { mailKind } from '../outbox/index.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'

/** What happened to the second factors of a user. */
export interface FactorNotice {
  readonly user: DescribedUser
  /** ISO 8601. */
  readonly time: string
  /** `totp`, `otp` and the like; null: none in particular. */
  readonly factor: string | null
  /** Such as `Chrome 142 on Windows`; null when the client does not say. */
  readonly device: string | null
  readonly ipAddress: string | null
  /** Backup codes that are left; null: not what it is about. */
  readonly left: number | null
}

export type Pair = readonly [formal: string, informal: string]
interface Texts {
  readonly en: (notice: FactorNotice, appName: string) => Pick<MailContent, 'subject' | 'heading' | 'paragraphs' | 'footnote'>
  /** Subject, heading, paragraph, footnote. */
  readonly de: (notice: FactorNotice, appName: string) => readonly [Pair, Pair, Pair, Pair]
}

const factorNames: Readonly<Record<string, readonly [en: string, de: string]>> = {
  totp: ['Authenticator app', 'Authenticator-App'],
  otp: ['Codes that are sent', 'Zugesandte Codes'],
  passkey: ['Passkey', 'Passkey'],
}

/** What a user does who has not done it themselves. @param what an instruction, which ends without a full stop */
export const ifNotYou = (what: string): string => `If this wasn't you, ${what}: someone else may have access to your account.`

/** The same in German. */
export const ifNotYouGerman = (formal: string, informal: string): Pair => [
  `Wenn Sie das nicht waren, ${formal}: Jemand anderes könnte Zugriff auf Ihr Konto haben.`,
  `Wenn du das nicht warst, ${informal}: Jemand anderes könnte Zugriff auf dein Konto haben.`,
]

/** The facts that are known. @param facts a label with its text; null: not known */
export const knownFacts = (
  facts: readonly (readonly [label: string, text: string | null])[],
): NonNullable<MailContent['facts']> => facts.flatMap(([label, text]) => (text === null ? [] : [[label, text] as const]))

function factsOf(notice: FactorNotice, { time }: TextContext, language: 0 | 1) {
  const names = [
    ['Second factor', 'Zweiter Faktor'],
    ['Time', 'Zeit'],
    ['Device', 'Gerät'],
    ['IP address', 'IP-Adresse'],
  ] as const
  const factor = notice.factor === null ? null : (factorNames[notice.factor]?.[language] ?? notice.factor)
  const device = language === 1 ? (notice.device?.replace(' on ', ' auf ') ?? null) : notice.device
  const values = [factor, time(notice.time), device, notice.ipAddress]
  return knownFacts(values.map((value, index) => [names[index]?.[language] ?? '', value] as const))
}

/** The page on which users see their second factors and passkeys. */
export function reviewSecurity({ config }: TextContext, label: string): Pick<MailContent, 'action'> {
  const url = hostedURL(config, '/account/security')
  return url === null ? {} : { action: { label, url } }
}

export const notice = ({ en, de }: Texts, example: Partial<FactorNotice> = {}) =>
  mailKind<FactorNotice>({
    content: {
      en: (data, context) => {
        const { subject, heading, paragraphs, footnote } = en(data, context.appName)
        const preheader = paragraphs[0] ?? heading
        return {
          ...{
            subject,
            preheader,
            heading,
            paragraphs,
            facts: factsOf(data, context, 0),
            ...reviewSecurity(context, 'Review your security'),
          },
          ...(footnote !== undefined && { footnote }),
        }
      },
      de: (data, context) => {
        const [subject, heading, paragraph, footnote] = de(data, context.appName).map((pair) => context.say(...pair))
        return {
          ...{ subject: subject ?? '', preheader: paragraph ?? '', heading: heading ?? '', paragraphs: [paragraph ?? ''] },
          ...{ facts: factsOf(data, context, 1), ...reviewSecurity(context, 'Sicherheit prüfen'), footnote: footnote ?? '' },
        }
      },
    },
    example: (app) => ({
      user: exampleUser(app),
      ...{ time: app.now().toISOString(), factor: null, device: 'Chrome 142 on Windows', ipAddress: '203.0.113.24', left: null },
      ...example,
    }),
  })
