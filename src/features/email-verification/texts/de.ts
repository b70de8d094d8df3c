/** The texts in German. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { endedParts, type PartTexts } from './parts.ts'

const parts = ({ plural }: TextContext): PartTexts => ({
  ...{ password: 'Passwort', phoneNumber: 'Telefonnummer', provider: (id) => `Konto bei ${id}` },
  sessions: (count) => plural(count, { one: '# Sitzung', other: '# Sitzungen' }),
  apiKeys: (count) => plural(count, { other: '# API-Schlüssel' }),
  passkeys: (count) => plural(count, { one: '# Passkey', other: '# Passkeys' }),
  secondFactors: (count) => plural(count, { one: '# zweiter Faktor', other: '# zweite Faktoren' }),
  trustedBrowsers: (count) => plural(count, { one: '# vertrauter Browser', other: '# vertraute Browser' }),
})

export const mails: MailTexts<Mails> = {
  verification: ({ url }, { appName, config, duration, say }) => ({
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
  'earlier-access-ended': (ended, context) => ({
    subject: context.say(
      `Früherer Zugriff auf Ihr Konto bei ${context.appName} ist beendet`,
      `Früherer Zugriff auf dein Konto bei ${context.appName} ist beendet`,
    ),
    preheader: context.say(
      'Jemand anderes könnte das Konto mit Ihrer E-Mail-Adresse erstellt haben.',
      'Jemand anderes könnte das Konto mit deiner E-Mail-Adresse erstellt haben.',
    ),
    heading: 'Früherer Zugriff ist beendet',
    paragraphs: [
      context.say(
        `Sie haben soeben bestätigt, dass diese E-Mail-Adresse Ihnen gehört. Das hatte vorher niemand getan, und jemand anderes könnte dieses Konto bei ${context.appName} damit erstellt haben. Deshalb wurde alles beendet, was früher eingerichtet wurde.`,
        `Du hast soeben bestätigt, dass diese E-Mail-Adresse dir gehört. Das hatte vorher niemand getan, und jemand anderes könnte dieses Konto bei ${context.appName} damit erstellt haben. Deshalb wurde alles beendet, was früher eingerichtet wurde.`,
      ),
    ],
    facts: [['Beendet', endedParts(ended, parts(context)).join(', ')]],
    footnote: context.say(
      'Wenn Sie das selbst eingerichtet hatten, richten Sie es in Ihrem Konto neu ein. Mit Ihrer E-Mail-Adresse können Sie sich weiterhin anmelden.',
      'Wenn du das selbst eingerichtet hattest, richte es in deinem Konto neu ein. Mit deiner E-Mail-Adresse kannst du dich weiterhin anmelden.',
    ),
  }),
}
