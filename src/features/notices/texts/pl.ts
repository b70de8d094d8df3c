/** The texts in Polish. */
import type { MailContent, MailTexts, TextContext } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { deviceIn, signInFacts, supportOf } from './facts.ts'

const wasYou = 'Jeśli to Ty, nie musisz nic robić.'

const facts = { time: 'Czas', device: 'Urządzenie', ipAddress: 'Adres IP', on: 'w systemie' }

const passwordRemoved = ({ appName }: TextContext): MailContent => ({
  subject: `Hasło do konta ${appName} zostało usunięte`,
  preheader: 'Ktoś inny mógł je ustawić, zanim Twój adres e-mail został zweryfikowany.',
  heading: 'Hasło zostało usunięte',
  paragraphs: [
    `Twoje konto ${appName} miało hasło ustawione przed weryfikacją Twojego adresu e-mail. Mógł je ustawić ktoś inny, więc już nie działa.`,
  ],
  footnote: 'Aby znów logować się hasłem, poproś o zresetowanie hasła i ustaw nowe.',
})

export const mails: MailTexts<Mails> = {
  'sign-in-method-removed': ({ providerId, reason }, context) =>
    reason === 'email-verified'
      ? passwordRemoved(context)
      : {
          subject: `Usunięto metodę logowania do konta ${context.appName}`,
          preheader: 'Jeśli to nie Ty, zmień teraz hasło.',
          heading: 'Usunięto metodę logowania',
          paragraphs: [`Tą metodą nie można już zalogować się do Twojego konta ${context.appName}.`],
          facts: [['Metoda logowania', providerId === 'credential' ? 'Hasło' : providerId]],
          footnote: `${wasYou} Jeśli nie, zmień teraz hasło: ktoś inny może mieć dostęp do Twojego konta.`,
        },
  'account-banned': ({ expiresAt }, { appName, time }) => ({
    subject: `Twoje konto ${appName} zostało zablokowane`,
    preheader:
      expiresAt === null ? 'Nie możesz się już zalogować.' : `Zalogujesz się ponownie po tym terminie: ${time(expiresAt)}.`,
    heading: 'Twoje konto zostało zablokowane',
    paragraphs: [
      `Administrator zablokował Twoje konto ${appName}, a jego sesje zostały zakończone.`,
      expiresAt === null ? 'Blokada jest bezterminowa.' : `Koniec blokady: ${time(expiresAt)}.`,
    ],
    footnote: 'Jeśli uważasz, że to pomyłka, skontaktuj się z pomocą techniczną.',
  }),
  'account-deleted': (_, { appName }) => ({
    subject: `Twoje konto ${appName} zostało usunięte`,
    preheader: 'Twoje konto i jego dane już nie istnieją.',
    heading: 'Twoje konto zostało usunięte',
    paragraphs: [`Twoje konto ${appName} i jego dane zostały usunięte.`],
    footnote: 'Jeśli to dla Ciebie niespodzianka, skontaktuj się z pomocą techniczną.',
  }),
  'account-impersonated': ({ time, endsAt }, context) => ({
    subject: `Administrator otworzył Twoje konto ${context.appName}`,
    preheader: 'Administrator może przez krótki czas używać Twojego konta.',
    heading: 'Administrator otworzył Twoje konto',
    paragraphs: [
      `Administrator ${context.appName} otworzył Twoje konto, aby zobaczyć to, co Ty widzisz. Nie może zmienić hasła ani metod logowania.`,
    ],
    facts: [
      ['Czas', context.time(time)],
      ['Koniec najpóźniej', context.time(endsAt)],
    ],
    footnote: `Jeśli to dla Ciebie niespodzianka, skontaktuj się z pomocą techniczną${supportOf(context) ? `: ${supportOf(context)}` : ''}.`,
  }),
  'new-sign-in': (notice, context) => ({
    subject: `Nowe logowanie do konta ${context.appName}`,
    preheader: ['Z nowego urządzenia lub nowej sieci', deviceIn(notice.device, facts.on)].filter(Boolean).join(': '),
    heading: 'Nowe logowanie do Twojego konta',
    paragraphs: [
      `Zalogowano się do Twojego konta ${context.appName} z nowego urządzenia lub nowej sieci.`,
      ...(notice.hasReplaced ? ['Poprzednia sesja tej samej przeglądarki lub programu została zakończona.'] : []),
    ],
    facts: signInFacts(notice, context, facts),
    ...context.button('/account/sessions', 'Sprawdź sesje'),
    footnote: `${wasYou} Jeśli nie, zmień hasło i zakończ tę sesję: ktoś inny ma dostęp do Twojego konta.`,
  }),
  'session-limit': ({ sessionsEnded, maxSessions, ...signIn }, context) => {
    const ended = context.plural(sessionsEnded, {
      one: 'zakończono # najstarszą sesję',
      few: 'zakończono # najstarsze sesje',
      many: 'zakończono # najstarszych sesji',
      other: 'zakończono # najstarszej sesji',
    })
    return {
      subject: `Nowe logowanie do konta ${context.appName}: ${ended}`,
      preheader: context.plural(maxSessions, {
        one: 'Twoje konto może mieć najwyżej # sesję.',
        few: 'Twoje konto może mieć najwyżej # sesje.',
        many: 'Twoje konto może mieć najwyżej # sesji.',
        other: 'Twoje konto może mieć najwyżej # sesji.',
      }),
      heading: `Nowe logowanie: ${ended}`,
      paragraphs: [
        `Twoje konto ${context.appName} osiągnęło maksymalną liczbę sesji: ${maxSessions}. Przy nowym logowaniu ${ended}, więc jakaś przeglądarka lub program może wymagać ponownego zalogowania.`,
      ],
      facts: signInFacts(signIn, context, facts),
      ...context.button('/account/sessions', 'Sprawdź sesje'),
      footnote:
        'Jeśli Twój program loguje się przy każdym uruchomieniu, niech zachowuje sesję lub używa klucza API. Jeśli nie znasz tego logowania, zmień hasło: ktoś inny ma dostęp do Twojego konta.',
    }
  },
}
