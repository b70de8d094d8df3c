import { unbroken } from '../../i18n/format.ts'
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './recovery-en.ts'

export const messages: Translation<typeof english> = {
  timeLeft: ({ time }) => `Czas na zalogowanie: ${time}.`,
  lostFactors: 'Nie mam dostępu do drugiego składnika',
  recover: 'Brak dostępu do drugiego składnika',
  recoverLead: 'Jeśli masz coś z tej listy, użyj tego. Drugie składniki pozostaną wtedy bez zmian.',
  noneOfThese: 'Nie mam nic z tej listy',
  resetText: ({ hours }, { plural }) => {
    const wait =
      hours % 24 === 0
        ? plural(hours / 24, { one: '# dzień', few: '# dni', many: '# dni', other: '# dnia' })
        : plural(hours, { one: '# godzinę', few: '# godziny', many: '# godzin', other: '# godziny' })
    return `Możesz poprosić o usunięcie wszystkich drugich składników. Potrwa to ${wait}, aby można było anulować prośbę, jeśli wysłał ją ktoś inny.`
  },
  toEmail: ({ to }) => `Wyślemy kod na adres ${unbroken(to)}.`,
  toBoth: ({ to, number }) =>
    `Wyślemy jeden kod na adres ${unbroken(to)}, a drugi SMS-em na numer ${unbroken(number)}. Potrzebne są oba.`,
  toPhone: ({ to }) => `Wyślemy kod SMS-em na numer ${unbroken(to)}.`,
  sendCodes: 'Wyślij kody',
  newCodesIn: ({ time }) => `Nowe kody za ${time}`,
  sendNewCodes: 'Wyślij nowe kody',
  emailCode: 'Kod z e-maila',
  smsCode: 'Kod z SMS-a',
  requestReset: 'Poproś o zresetowanie',
  notPossible: 'Twoje drugie składniki może zresetować tylko administrator.',
  askAdministrators: 'Możesz zwrócić się do administratora swojej organizacji:',
  waiting: ({ time }) => `Resetowanie jest zaplanowane. Termin: ${time}.`,
  requested: 'Prośba o zresetowanie została przyjęta',
  requestedLead: ({ time }) => `${time} Twoje drugie składniki zostaną usunięte. Zaloguj się wtedy i skonfiguruj nowe.`,
  requestedText:
    'Będziemy wysyłać Ci e-maile w tej sprawie. Resetowanie anuluje logowanie z drugim składnikiem, a także link z e-maila.',
  toSignIn: 'Wróć do logowania',
  cancelQuestion: 'Anulować resetowanie?',
  cancelLead: 'Twoje drugie składniki pozostaną wtedy bez zmian.',
  cancelReset: 'Anuluj resetowanie',
  cancelled: 'Resetowanie zostało anulowane',
  cancelledLead:
    'Twoje drugie składniki pozostają bez zmian. Jeśli prośba o zresetowanie nie pochodzi od Ciebie, zmień hasło: zna je ktoś inny.',
  changePassword: 'Zmień hasło',
  linkFailed: 'Ten link nie działa',
  linkFailedLead: 'Resetowanie zostało już anulowane lub wykonane.',
}
