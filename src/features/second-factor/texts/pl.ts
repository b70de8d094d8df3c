/** The texts in Polish. */
import type { MailTexts, ShortTexts, TextContext } from '../../../core/message.ts'
import { bound } from '../code-messages.ts'
import { noticeIn } from '../factor-notice.ts'
import type { Mails, Texts } from '../texts.ts'
import { resetMails, resetTexts } from './reset-pl.ts'

const notice = (write: Parameters<typeof noticeIn>[1]) =>
  noticeIn(
    {
      ...{
        factor: 'Drugi składnik',
        time: 'Czas',
        device: 'Urządzenie',
        ipAddress: 'Adres IP',
        on: 'w systemie',
        review: 'Sprawdź bezpieczeństwo',
      },
      names: { totp: 'Aplikacja uwierzytelniająca', otp: 'Wysyłane kody', passkey: 'Klucz dostępu' },
    },
    write,
  )

const notYou = 'Jeśli to nie Ty, zmień teraz hasło i sprawdź drugie składniki: ktoś inny może mieć dostęp do Twojego konta.'
const codesLeft = (left: number | null, { plural }: TextContext) =>
  plural(left ?? 0, {
    one: 'Pozostał # kod zapasowy',
    few: 'Pozostały # kody zapasowe',
    many: 'Pozostało # kodów zapasowych',
    other: 'Pozostało # kodu zapasowego',
  })

const added = (appName: string, what: string) =>
  `${appName}: ${what} To nie Ty? Zmień teraz hasło i sprawdź bezpieczeństwo konta.`

export const mails: MailTexts<Mails> = {
  'two-factor-enabled': notice((_, { appName: app }) => ({
    subject: `Do konta ${app} dodano drugi składnik`,
    heading: 'Dodano drugi składnik',
    paragraphs: ['Od teraz logowanie do Twojego konta wymaga drugiego składnika.'],
    footnote: notYou,
  })),
  'two-factor-disabled': notice((_, { appName: app }) => ({
    subject: `Z konta ${app} usunięto drugi składnik`,
    heading: 'Usunięto drugi składnik',
    paragraphs: ['Nie można go już używać do logowania do Twojego konta.'],
    footnote: notYou,
  })),
  'backup-code-used': notice(({ left }, context) => ({
    subject: `Użyto kodu zapasowego konta ${context.appName}`,
    heading: 'Użyto kodu zapasowego',
    paragraphs: [`${codesLeft(left, context)}.`],
    footnote: notYou,
  })),
  'backup-codes-low': notice(({ left }, context) => ({
    subject: `Kończą się kody zapasowe konta ${context.appName}`,
    heading: codesLeft(left, context),
    paragraphs: ['Utwórz nowe kody zapasowe, aby móc się zalogować w razie utraty telefonu.'],
    footnote: 'Gdy utworzysz nowe kody, poprzednie przestaną działać.',
  })),
  'backup-codes-created': notice((_, { appName: app }) => ({
    subject: `Nowe kody zapasowe konta ${app}`,
    heading: 'Utworzono nowe kody zapasowe',
    paragraphs: ['Poprzednie kody już nie działają.'],
    footnote: notYou,
  })),
  'password-may-be-known': notice((_, { appName: app }) => ({
    subject: `Ktoś inny może znać Twoje hasło ${app}`,
    heading: 'Ktoś inny może znać Twoje hasło',
    paragraphs: [
      'Podano prawidłowe hasło lub użyto innej metody logowania, ale bez drugiego składnika. Nikt nie uzyskał dostępu do Twojego konta.',
    ],
    footnote: 'Jeśli to Ty, nie musisz nic robić. Jeśli nie, zmień teraz hasło.',
  })),
  'trusted-browser-copied': notice((_, { appName: app }) => ({
    subject: `Skopiowano dane zaufanej przeglądarki konta ${app}`,
    heading: 'Skopiowano dane zaufanej przeglądarki',
    paragraphs: ['Użyto starej kopii pliku cookie zaufanej przeglądarki. Ta przeglądarka nie jest już zaufana.'],
    footnote: 'Sprawdź sesje i zmień hasło, jeśli którejś nie znasz.',
  })),
  'two-factor-suspended': notice((_, { appName: app }) => ({
    subject: `Kody dla konta ${app} zostały wyłączone`,
    heading: 'Kody zostały wyłączone',
    paragraphs: [
      'Dla Twojego konta zbyt wiele razy wpisano nieprawidłowy kod. Zaloguj się kodem zapasowym i ponownie skonfiguruj aplikację uwierzytelniającą.',
      'Jeśli nie masz jeszcze drugiego składnika, najpierw zmień hasło. Potem kody będą znów wysyłane.',
    ],
    footnote: 'Ktoś zna Twoje hasło. Zmień je zaraz po zalogowaniu.',
  })),
  'two-factor-code': ({ otp }, { appName, config, duration }) => ({
    subject: `${otp} to Twój kod ${appName}`,
    preheader: 'Służy do dokończenia logowania.',
    heading: otp,
    paragraphs: [
      `Tym kodem dokończysz logowanie do konta ${appName}. Czas ważności: ${duration(config.twoFactor.otpOptions.period * 60)}.`,
    ],
    footnote: 'Nikomu go nie podawaj. Jeśli to nie Ty się logujesz, ktoś inny zna Twoje hasło: zmień je teraz.',
  }),
  ...resetMails,
}

export const texts: ShortTexts<Texts> = {
  'two-factor-code': ({ otp }, { appName, config, duration }) =>
    `${otp} to Twój kod ${appName}. Czas ważności: ${duration(config.twoFactor.otpOptions.period * 60)}. Nikomu go nie podawaj.${bound(config, otp)}`,
  'two-factor-enabled': (_, { appName }) => added(appName, 'do konta dodano drugi składnik.'),
  'backup-codes-created': (_, { appName }) => added(appName, 'dla konta utworzono nowe kody zapasowe.'),
  ...resetTexts,
}
