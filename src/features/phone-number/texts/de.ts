/** The texts in German. */
import type { MailTexts, ShortTexts } from '../../../core/message.ts'
import { endOf } from '../codes.ts'
import type { Mails, Texts } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'phone-number-changed': (_, { appName, say }) => ({
    subject: say(
      `Die Telefonnummer Ihres Kontos bei ${appName} wurde geändert`,
      `Die Telefonnummer deines Kontos bei ${appName} wurde geändert`,
    ),
    preheader: say(
      'Wenn Sie das nicht waren, könnte jemand anderes Zugriff auf Ihr Konto haben.',
      'Wenn du das nicht warst, könnte jemand anderes Zugriff auf dein Konto haben.',
    ),
    heading: say('Ihre Telefonnummer wurde geändert', 'Deine Telefonnummer wurde geändert'),
    paragraphs: [
      say(
        `Ihrem Konto bei ${appName} wurde eine Telefonnummer hinzugefügt, oder die bisherige wurde ersetzt.`,
        `Deinem Konto bei ${appName} wurde eine Telefonnummer hinzugefügt, oder die bisherige wurde ersetzt.`,
      ),
    ],
    footnote: say(
      'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, wenden Sie sich an uns: Jemand anderes könnte Zugriff auf Ihr Konto haben.',
      'Wenn du das warst, musst du nichts tun. Wenn nicht, wende dich an uns: Jemand anderes könnte Zugriff auf dein Konto haben.',
    ),
  }),
}

export const texts: ShortTexts<Texts> = {
  'phone-verification': (message, { appName, config, duration, say }) =>
    say(
      `${message.code} ist Ihr Code für ${appName}. Er gilt ${duration(config.phoneNumber.expiresIn)}. Geben Sie ihn nie weiter.${endOf(message)}`,
      `${message.code} ist dein Code für ${appName}. Er gilt ${duration(config.phoneNumber.expiresIn)}. Gib ihn nie weiter.${endOf(message)}`,
    ),
  'phone-password-reset': (message, { appName, config, duration, say }) =>
    say(
      `${message.code} ist Ihr Code für ein neues Passwort bei ${appName}. Er gilt ${duration(config.phoneNumber.expiresIn)}. Geben Sie ihn nie weiter.${endOf(message)}`,
      `${message.code} ist dein Code für ein neues Passwort bei ${appName}. Er gilt ${duration(config.phoneNumber.expiresIn)}. Gib ihn nie weiter.${endOf(message)}`,
    ),
}
