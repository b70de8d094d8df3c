/** What notices of second factors and of passkeys have in common in every language: who, when, from where, and what to do. */
import type { LockableNotice, MailContent, TextContext } from '../../core/message.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'

/** What happened to the second factors of a user. */
export interface FactorNotice extends LockableNotice {
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

/** The words of a language around the text of a notice. */
interface NoticeWords {
  readonly factor: string
  readonly time: string
  readonly device: string
  readonly ipAddress: string
  /** Between program and system: `Chrome 142 on Windows`. */
  readonly on: string
  /** Of the button to the page with the second factors. */
  readonly review: string
  /** Names of factors, at the start of a line. */
  readonly names: Readonly<Record<string, string>>
}

/** The facts that are known. @param facts a label with its text; null: not known */
export const knownFacts = (
  facts: readonly (readonly [label: string, text: string | null])[],
): NonNullable<MailContent['facts']> => facts.flatMap(([label, text]) => (text === null ? [] : [[label, text] as const]))

/** A notice with its facts and the button. The first paragraph is its preheader too. */
export const noticeIn =
  (
    { names, on, review, ...labels }: NoticeWords,
    write: (notice: FactorNotice, context: TextContext) => Omit<MailContent, 'preheader' | 'facts' | 'action'>,
  ) =>
  (notice: FactorNotice, context: TextContext): MailContent => {
    const content = write(notice, context)
    const { factor, time, device, ipAddress } = notice
    return {
      preheader: content.paragraphs[0] ?? content.heading,
      ...content,
      facts: knownFacts([
        [labels.factor, factor && (names[factor] ?? factor)],
        [labels.time, context.time(time)],
        [labels.device, device === null ? null : device.replace(' on ', ` ${on} `)],
        [labels.ipAddress, ipAddress],
      ]),
      ...context.button('/account/security', review),
    }
  }

/** For previews. */
export const exampleNotice =
  (example: Partial<FactorNotice> = {}) =>
  (app: Parameters<typeof exampleUser>[0]): FactorNotice => ({
    user: exampleUser(app),
    ...{ time: app.now().toISOString(), factor: null, device: 'Chrome 142 on Windows', ipAddress: '203.0.113.24', left: null },
    ...example,
  })
