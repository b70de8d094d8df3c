import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  lockAccount: 'Zablokuj moje konto',
  question: 'Zablokować konto?',
  lead: ({ email }) =>
    `Wysłaliśmy link na adres ${email}. Jeśli logowanie lub zmiana z tamtego e-maila to nie Twoje działanie, zablokuj konto teraz.`,
  textLead: 'Wysłaliśmy link SMS-em. Jeśli zmiana z tamtej wiadomości to nie Twoje działanie, zablokuj konto teraz.',
  ends: 'Natychmiast przestaną działać:',
  sessions: ({ sessions }, { plural }) =>
    plural(sessions, {
      one: '# zalogowane urządzenie',
      few: '# zalogowane urządzenia',
      many: '# zalogowanych urządzeń',
      other: '# zalogowanego urządzenia',
    }),
  apiKeys: ({ apiKeys }, { plural }) =>
    plural(apiKeys, { one: '# klucz API', few: '# klucze API', many: '# kluczy API', other: '# klucza API' }),
  linksAndCodes: ({ linksAndCodes }, { plural }) =>
    plural(linksAndCodes, {
      one: '# ważny link lub kod',
      few: '# ważne linki lub kody',
      many: '# ważnych linków i kodów',
      other: '# ważnego linku lub kodu',
    }),
  linkedAccounts: ({ linkedAccounts }, { plural }) =>
    plural(linkedAccounts, {
      one: 'Zapisany dostęp do # połączonego konta',
      few: 'Zapisany dostęp do # połączonych kont',
      many: 'Zapisany dostęp do # połączonych kont',
      other: 'Zapisany dostęp do # połączonego konta',
    }),
  trustedBrowsers: ({ trustedBrowsers }, { plural }) =>
    plural(trustedBrowsers, {
      one: '# zaufana przeglądarka',
      few: '# zaufane przeglądarki',
      many: '# zaufanych przeglądarek',
      other: '# zaufanej przeglądarki',
    }),
  everySignIn: 'Logowanie każdą metodą, dopóki konto nie zostanie odblokowane',
  opensByReset: 'Potem możesz odblokować konto, ustawiając nowe hasło.',
  opensBySupport:
    'Adres e-mail konta został zmieniony lub konto było już wcześniej zablokowane. Dlatego odblokować je może tylko nasza pomoc techniczna, gdy upewni się, że należy do Ciebie.',
  textOpens: 'Potem odblokować je może tylko nasza pomoc techniczna, gdy upewni się, że należy do Ciebie.',
  isLocked: 'Konto jest już zablokowane. Tym linkiem możesz zablokować je ponownie.',
  wasMe: 'To ja: nic nie rób',
  locked: 'Twoje konto jest zablokowane',
  lockedLead: 'Wszystkie urządzenia są wylogowane i nikt nie może się zalogować.',
  nextReset: 'Teraz ustaw nowe hasło, aby odblokować konto.',
  nextSupport:
    'Odblokować je może tylko nasza pomoc techniczna. Skontaktuj się z nami i zgłoś, że ktoś inny zmienił Twoje konto.',
  resetPassword: 'Zresetuj hasło',
  contactSupport: 'Napisz do pomocy technicznej',
  linkFailed: 'Ten link nie działa',
  linkFailedLead:
    'Wygasł lub został już użyty. Jeśli ktoś inny ma dostęp do Twojego konta, zresetuj hasło lub skontaktuj się z pomocą techniczną.',
}
