/** The texts in German. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { endedFacts, supportOf } from './facts.ts'

export const mails: MailTexts<Mails> = {
  'account-locked': (notice, context) => {
    const { appName, say } = context
    return {
      subject: say(`Ihr Konto bei ${appName} ist gesperrt`, `Dein Konto bei ${appName} ist gesperrt`),
      preheader: 'Bis zur Freigabe kann sich niemand anmelden.',
      heading: say('Ihr Konto ist gesperrt', 'Dein Konto ist gesperrt'),
      paragraphs: [
        say(
          `Ihr Konto bei ${appName} wurde gesperrt. Alle Geräte wurden abgemeldet, und eine Anmeldung ist mit keiner Methode möglich.`,
          `Dein Konto bei ${appName} wurde gesperrt. Alle Geräte wurden abgemeldet, und eine Anmeldung ist mit keiner Methode möglich.`,
        ),
        notice.opensByReset
          ? say(
              'Um es wieder freizugeben, setzen Sie Ihr Passwort zurück.',
              'Um es wieder freizugeben, setze dein Passwort zurück.',
            )
          : say(
              `Nur unser Support kann es wieder freigeben: Wenden Sie sich an ${supportOf(context) ?? 'uns'}.`,
              `Nur unser Support kann es wieder freigeben: Wende dich an ${supportOf(context) ?? 'uns'}.`,
            ),
      ],
      facts: endedFacts(notice, 'Beendet', ['Sitzungen', 'API-Schlüssel', 'Links und Codes', 'Verknüpfte Konten']),
      ...(notice.opensByReset && context.button('/forgot-password', 'Passwort zurücksetzen')),
      footnote: say(
        'Wenn Sie es nicht gesperrt haben, war es jemand mit Zugriff auf Ihr Postfach oder unser Support.',
        'Wenn du es nicht gesperrt hast, war es jemand mit Zugriff auf dein Postfach oder unser Support.',
      ),
    }
  },
  'account-unlocked': (_, context) => {
    const { appName, say } = context
    return {
      subject: say(`Ihr Konto bei ${appName} ist wieder freigegeben`, `Dein Konto bei ${appName} ist wieder freigegeben`),
      preheader: say('Prüfen Sie, was jemand anderes geändert haben könnte.', 'Prüfe, was jemand anderes geändert haben könnte.'),
      heading: say('Ihr Konto ist wieder freigegeben', 'Dein Konto ist wieder freigegeben'),
      paragraphs: [
        say(
          `Sie können sich wieder bei Ihrem Konto bei ${appName} anmelden.`,
          `Du kannst dich wieder bei deinem Konto bei ${appName} anmelden.`,
        ),
        say(
          'Jemand anderes könnte Zugriff gehabt haben. Prüfen Sie Ihre E-Mail-Adresse und Telefonnummer, und entfernen Sie zweite Faktoren, Passkeys und verknüpfte Konten, die Sie nicht kennen.',
          'Jemand anderes könnte Zugriff gehabt haben. Prüfe deine E-Mail-Adresse und Telefonnummer, und entferne zweite Faktoren, Passkeys und verknüpfte Konten, die du nicht kennst.',
        ),
      ],
      ...context.button('/account/security', 'Sicherheit prüfen'),
      footnote: say(
        'Wenn Sie es nicht freigegeben haben, sperren Sie es wieder.',
        'Wenn du es nicht freigegeben hast, sperre es wieder.',
      ),
    }
  },
}
