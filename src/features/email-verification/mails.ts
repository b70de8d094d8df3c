/** The emails with a verification link, and about what ended when the owner of an email address verified it. */
import type { App } from '../../core/app.ts'
import { counted } from '../../lib/text.ts'
import { defineMails, mailKind, shortURL } from '../outbox/index.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'

/** What ended, because another person than the owner of the email address may have set it up. */
export interface EndedNotice {
  readonly user: DescribedUser
  readonly password: boolean
  /** Ids of the providers of linked accounts. */
  readonly providers: readonly string[]
  readonly phoneNumber: boolean
  readonly sessions: number
  readonly apiKeys: number
  readonly passkeys: number
  readonly secondFactors: number
  readonly trustedBrowsers: number
}

/** Argument of a function that sends a link. Dates of the user are strings. */
export interface LinkMail {
  readonly user: DescribedUser
  readonly url: string
  readonly token: string
}

/** For previews of emails with a link. */
export const exampleLinkMail = (app: Pick<App, 'config' | 'now'>): LinkMail => {
  const token = 'Zk2p0vXnq7Lw4tR9sYb1cE6h'
  return { user: exampleUser(app), url: shortURL(app.config, token), token }
}

export const mails = defineMails({
  verification: mailKind<LinkMail>({
    toStrangers: true,
    hasLink: true,
    option: ({ emailVerification }) => emailVerification.sendVerificationEmail,
    content: {
      en: ({ url }, { appName, config, duration }) => ({
        subject: `Confirm your email address for ${appName}`,
        preheader: `Finish setting up your account. The link expires in ${duration(config.emailVerification.expiresIn)}.`,
        heading: 'Confirm your email address',
        paragraphs: [`Confirm your email address to finish setting up your ${appName} account.`],
        action: { label: 'Confirm email address', url },
        footnote: `This link expires in ${duration(config.emailVerification.expiresIn)}. If you didn't request this, you can ignore this email.`,
      }),
      de: ({ url }, { appName, config, duration, say }) => ({
        subject: say(`Bestätigen Sie Ihre E-Mail-Adresse für ${appName}`, `Bestätige deine E-Mail-Adresse für ${appName}`),
        preheader: say(
          `Schließen Sie die Einrichtung Ihres Kontos ab. Der Link ist ${duration(config.emailVerification.expiresIn)} lang gültig.`,
          `Schließe die Einrichtung deines Kontos ab. Der Link ist ${duration(config.emailVerification.expiresIn)} lang gültig.`,
        ),
        heading: say('Bestätigen Sie Ihre E-Mail-Adresse', 'Bestätige deine E-Mail-Adresse'),
        paragraphs: [
          say(
            `Bestätigen Sie Ihre E-Mail-Adresse, um die Einrichtung Ihres Kontos bei ${appName} abzuschließen.`,
            `Bestätige deine E-Mail-Adresse, um die Einrichtung deines Kontos bei ${appName} abzuschließen.`,
          ),
        ],
        action: { label: 'E-Mail-Adresse bestätigen', url },
        footnote: say(
          `Der Link ist ${duration(config.emailVerification.expiresIn)} lang gültig. Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren.`,
          `Der Link ist ${duration(config.emailVerification.expiresIn)} lang gültig. Wenn du das nicht angefordert hast, kannst du diese E-Mail ignorieren.`,
        ),
      }),
    },
    example: exampleLinkMail,
  }),
  'earlier-access-ended': mailKind<EndedNotice>({
    content: {
      en: (ended, { appName }) => ({
        subject: `Earlier access to your ${appName} account has ended`,
        preheader: 'Someone may have created the account with your email address before you did.',
        heading: 'Earlier access has ended',
        paragraphs: [
          `You have just confirmed that this email address is yours. It was not confirmed before, so someone else may have created this ${appName} account with it. So everything that was set up earlier has ended.`,
        ],
        facts: [['Ended', endedParts(ended, englishParts).join(', ')]],
        footnote:
          'If you had set up these yourself, set them up again in your account. You can still sign in with your email address.',
      }),
      de: (ended, { appName, say }) => ({
        subject: say(
          `Früherer Zugriff auf Ihr Konto bei ${appName} ist beendet`,
          `Früherer Zugriff auf dein Konto bei ${appName} ist beendet`,
        ),
        preheader: say(
          'Jemand anderes könnte das Konto mit Ihrer E-Mail-Adresse angelegt haben.',
          'Jemand anderes könnte das Konto mit deiner E-Mail-Adresse angelegt haben.',
        ),
        heading: 'Früherer Zugriff ist beendet',
        paragraphs: [
          say(
            `Sie haben soeben bestätigt, dass diese E-Mail-Adresse Ihnen gehört. Das hatte vorher niemand getan, und jemand anderes könnte dieses Konto bei ${appName} damit angelegt haben. Deshalb wurde alles beendet, was früher eingerichtet wurde.`,
            `Du hast soeben bestätigt, dass diese E-Mail-Adresse dir gehört. Das hatte vorher niemand getan, und jemand anderes könnte dieses Konto bei ${appName} damit angelegt haben. Deshalb wurde alles beendet, was früher eingerichtet wurde.`,
          ),
        ],
        facts: [['Beendet', endedParts(ended, germanParts).join(', ')]],
        footnote: say(
          'Wenn Sie das selbst eingerichtet hatten, richten Sie es in Ihrem Konto neu ein. Mit Ihrer E-Mail-Adresse können Sie sich weiterhin anmelden.',
          'Wenn du das selbst eingerichtet hattest, richte es in deinem Konto neu ein. Mit deiner E-Mail-Adresse kannst du dich weiterhin anmelden.',
        ),
      }),
    },
    example: (app) => ({
      user: exampleUser(app),
      ...{
        password: true,
        providers: ['github'],
        phoneNumber: false,
        sessions: 2,
        apiKeys: 1,
        passkeys: 1,
        secondFactors: 0,
        trustedBrowsers: 0,
      },
    }),
  }),
})

interface PartTexts {
  readonly password: string
  readonly phoneNumber: string
  readonly provider: (id: string) => string
  readonly sessions: (count: number) => string
  readonly apiKeys: (count: number) => string
  readonly passkeys: (count: number) => string
  readonly secondFactors: (count: number) => string
  readonly trustedBrowsers: (count: number) => string
}

const englishParts: PartTexts = {
  ...{ password: 'password', phoneNumber: 'phone number', provider: (id) => `account at ${id}` },
  sessions: (count) => counted(count, 'session'),
  apiKeys: (count) => counted(count, 'API key'),
  passkeys: (count) => counted(count, 'passkey'),
  secondFactors: (count) => counted(count, 'second factor'),
  trustedBrowsers: (count) => counted(count, 'trusted browser'),
}
const germanParts: PartTexts = {
  ...{ password: 'Passwort', phoneNumber: 'Telefonnummer', provider: (id) => `Konto bei ${id}` },
  sessions: (count) => (count === 1 ? '1 Sitzung' : `${count} Sitzungen`),
  apiKeys: (count) => `${count} API-Schlüssel`,
  passkeys: (count) => (count === 1 ? '1 Passkey' : `${count} Passkeys`),
  secondFactors: (count) => (count === 1 ? '1 zweiter Faktor' : `${count} zweite Faktoren`),
  trustedBrowsers: (count) => (count === 1 ? '1 vertrauter Browser' : `${count} vertraute Browser`),
}

const endedCounts = ['passkeys', 'secondFactors', 'trustedBrowsers', 'sessions', 'apiKeys'] as const

const endedParts = ({ password, phoneNumber, providers, ...ended }: EndedNotice, texts: PartTexts): string[] => [
  ...(password ? [texts.password] : []),
  ...providers.map(texts.provider),
  ...(phoneNumber ? [texts.phoneNumber] : []),
  ...endedCounts.flatMap((name) => (ended[name] > 0 ? texts[name](ended[name]) : [])),
]
