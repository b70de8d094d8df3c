/** The texts in Polish. */
import type { MailTexts, ShortTexts } from '../../../core/message.ts'
import { codeLifetime } from '../code-lifetime.ts'
import type { Mails, Texts } from '../texts.ts'
import { deviceFact, passkeyFacts } from './facts.ts'

const labels = ['Klucz dostępu', 'Urządzenie lub menedżer haseł', 'Czas'] as const

const notYours = 'Jeśli to nie Ty, ktoś inny może mieć dostęp do Twojego konta.'
const ifNotYou = (what: string): string => `Jeśli to nie Ty, ${what}: ktoś inny może mieć dostęp do Twojego konta.`

export const mails: MailTexts<Mails> = {
  'passkey-added': (notice, context) => ({
    subject: `Do konta ${context.appName} dodano klucz dostępu`,
    preheader: notYours,
    heading: 'Dodano klucz dostępu',
    paragraphs: [
      `Tym kluczem dostępu można teraz zalogować się do Twojego konta ${context.appName}.`,
      ...(notice.isAutomatic ? ['Twoja przeglądarka utworzyła go podczas logowania hasłem.'] : []),
    ],
    facts: [...passkeyFacts(notice, context, labels), ...deviceFact(notice, 'Gdzie dodano', 'w systemie')],
    ...context.button('/account/security', 'To nie ja'),
    footnote: ifNotYou('usuń klucz dostępu, zmień hasło i zakończ sesje'),
  }),
  'passkey-removed': (notice, context) => ({
    subject: `Z konta ${context.appName} usunięto klucz dostępu`,
    preheader: notYours,
    heading: 'Usunięto klucz dostępu',
    paragraphs: [`Tym kluczem dostępu nie można już zalogować się do Twojego konta ${context.appName}.`],
    facts: passkeyFacts(notice, context, labels),
    ...context.button('/account/security', 'To nie ja'),
    footnote: `Jeśli to Ty, usuń klucz dostępu także w menedżerze haseł. ${ifNotYou('zmień hasło i zakończ sesje')}`,
  }),
  'passkey-cloned': (notice, context) => ({
    subject: `Klucz dostępu konta ${context.appName} został zawieszony`,
    preheader: 'Mógł zostać skopiowany, więc nie można się nim zalogować.',
    heading: 'Klucz dostępu został zawieszony',
    paragraphs: [
      'Podczas logowania tym kluczem dostępu jego licznik się cofnął. Dzieje się tak, gdy klucz został skopiowany.',
      'Logowanie się nie powiodło. Zaloguj się inną metodą i usuń klucz dostępu albo zezwól na niego ponownie, jeśli znasz przyczynę.',
    ],
    facts: passkeyFacts(notice, context, labels),
    ...context.button('/account/security', 'Sprawdź metody logowania'),
  }),
  'passkey-sign-up': ({ code }, { appName, duration }) => ({
    subject: `${code} to Twój kod ${appName}`,
    preheader: `Wpisz go, aby się zarejestrować. Czas ważności: ${duration(codeLifetime)}.`,
    heading: 'Twój kod do rejestracji',
    paragraphs: [
      `Wpisz ten kod, aby zarejestrować się w ${appName}. Czas ważności: ${duration(codeLifetime)}. Nikomu go nie podawaj.`,
    ],
    facts: [['Kod', code]],
    footnote: 'Jeśli ta prośba nie pochodzi od Ciebie, zignoruj ten e-mail.',
  }),
}

export const texts: ShortTexts<Texts> = {
  'passkey-added': (_, { appName }) =>
    `${appName}: do konta dodano klucz dostępu. To nie Ty? Zmień teraz hasło i sprawdź bezpieczeństwo konta.`,
}
