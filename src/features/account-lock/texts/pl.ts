/** The texts in Polish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { endedFacts, supportOf } from './facts.ts'

export const mails: MailTexts<Mails> = {
  'account-locked': (notice, context) => {
    const { appName } = context
    return {
      subject: `Twoje konto ${appName} jest zablokowane`,
      preheader: 'Nikt nie może się zalogować, dopóki konto nie zostanie odblokowane.',
      heading: 'Twoje konto jest zablokowane',
      paragraphs: [
        `Twoje konto ${appName} zostało zablokowane. Wszystkie urządzenia zostały wylogowane i nie można się zalogować żadną metodą.`,
        notice.opensByReset
          ? 'Aby je odblokować, zresetuj hasło.'
          : `Odblokować je może tylko nasza pomoc techniczna: ${supportOf(context) ?? 'skontaktuj się z nami'}.`,
      ],
      facts: endedFacts(notice, 'Przestały działać', ['Sesje', 'Klucze API', 'Linki i kody', 'Połączone konta']),
      ...(notice.opensByReset && context.button('/forgot-password', 'Zresetuj hasło')),
      footnote: 'Jeśli to nie Ty, konto zablokowała inna osoba z dostępem do Twojej poczty albo nasza pomoc techniczna.',
    }
  },
  'account-unlocked': (_, context) => {
    const { appName } = context
    return {
      subject: `Twoje konto ${appName} zostało odblokowane`,
      preheader: 'Sprawdź, co mogła zmienić inna osoba.',
      heading: 'Twoje konto zostało odblokowane',
      paragraphs: [
        `Możesz ponownie zalogować się na swoje konto ${appName}.`,
        'Inna osoba mogła mieć do niego dostęp. Sprawdź swój adres e-mail i numer telefonu oraz usuń drugie składniki, klucze dostępu i połączone konta, których nie znasz.',
      ],
      ...context.button('/account/security', 'Sprawdź zabezpieczenia'),
      footnote: 'Jeśli to nie Ty, zablokuj konto ponownie.',
    }
  },
}
