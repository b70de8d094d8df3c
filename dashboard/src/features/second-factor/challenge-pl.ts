import { unbroken } from '../../i18n/format.ts'
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './challenge-en.ts'

export const messages: Translation<typeof english> = {
  security: 'Bezpieczeństwo',
  title: 'Drugi składnik',
  totpLead: 'Wpisz kod z aplikacji uwierzytelniającej.',
  smsLead: ({ to }) => `Wyślemy kod SMS-em na numer ${unbroken(to)}.`,
  emailLead: ({ to }) => `Wyślemy kod na adres ${unbroken(to)}.`,
  smsSent: ({ to }) => `Wysłaliśmy kod SMS-em na numer ${unbroken(to)}.`,
  emailSent: ({ to }) => `Wysłaliśmy kod na adres ${unbroken(to)}.`,
  backupLead: 'Wpisz jeden z kodów zapasowych. Każdy działa jeden raz.',
  code: 'Kod',
  clockHint: 'Kody zależą od czasu: włącz w telefonie automatyczne ustawianie godziny.',
  backupCode: 'Kod zapasowy',
  backupHint: ({ count }, { plural }) =>
    plural(count, {
      one: 'Pozostał # kod zapasowy.',
      few: 'Pozostały # kody zapasowe.',
      many: 'Pozostało # kodów zapasowych.',
      other: 'Pozostało # kodu zapasowego.',
    }),
  trust: ({ count }, { plural }) =>
    plural(count, {
      one: 'Ufaj tej przeglądarce przez # dzień',
      few: 'Ufaj tej przeglądarce przez # dni',
      many: 'Ufaj tej przeglądarce przez # dni',
      other: 'Ufaj tej przeglądarce przez # dnia',
    }),
  signIn: 'Zaloguj się',
  confirm: 'Potwierdź',
  sendCode: 'Wyślij kod',
  sendNewCode: 'Wyślij nowy kod',
  newCodeIn: ({ time }) => `Nowy kod za ${time}`,
  newCodeSent: 'Nowy kod został wysłany.',
  anotherWay: 'Inny sposób',
  totpWay: 'Kod z aplikacji uwierzytelniającej',
  smsWay: ({ to }) => `Kod SMS-em na numer ${unbroken(to)}`,
  emailWay: ({ to }) => `Kod na adres ${unbroken(to)}`,
  backupWay: ({ count }, { plural }) =>
    plural(count, {
      one: 'Kod zapasowy (pozostał #)',
      few: 'Kod zapasowy (pozostały #)',
      many: 'Kod zapasowy (pozostało #)',
      other: 'Kod zapasowy (pozostało #)',
    }),
  noWay: 'Żadnego z Twoich drugich składników nie można teraz użyć. Zaloguj się inaczej lub poproś o pomoc.',
  cancel: 'Anuluj logowanie',
  startAgain: 'Zacznij od nowa',
  tooNew: ({ time }) => `Ten drugi składnik dodano niedawno. Użyj innego lub poczekaj do ${time}.`,
}
