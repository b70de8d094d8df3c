/** The texts about a reset of second factors in Polish. */
import type { MailContent, MailTexts, ShortTexts, TextContext } from '../../../core/message.ts'
import { bound } from '../code-messages.ts'
import type { ResetNotice } from '../reset-mail.ts'
import { factorList, resetPage } from '../reset-page.ts'
import type { ResetMails, ResetTexts } from '../texts.ts'

const names: Readonly<Record<string, string>> = {
  totp: 'aplikacja uwierzytelniająca',
  otp: 'wysyłane kody',
  passkeys: 'klucze dostępu',
  'backup-codes': 'kody zapasowe',
}

function inPolish(notice: ResetNotice, context: TextContext): MailContent {
  const { appName: app, time } = context
  const { stage, requestedBy, effectiveAt } = notice
  const isOwn = requestedBy === 'user'
  const who = isOwn ? 'Poproszono o to podczas logowania' : 'Poprosił o to administrator'
  const subjects = {
    requested: `Drugie składniki konta ${app} zostaną zresetowane`,
    soon: `Przypomnienie: drugie składniki konta ${app} zostaną zresetowane`,
    done: `Drugie składniki konta ${app} zostały zresetowane`,
  }
  const removed = isOwn ? 'Zgodnie z prośbą podczas logowania drugie składniki' : 'Na prośbę administratora drugie składniki'
  const paragraphs =
    stage === 'done'
      ? [
          `${removed} Twojego konta zostały usunięte, a wszystkie sesje zakończone. Zaloguj się ponownie i skonfiguruj to, czego potrzebujesz.`,
        ]
      : [
          `${who}. ${time(effectiveAt)} drugie składniki Twojego konta zostaną usunięte, a wszystkie sesje zakończone.`,
          'Logowanie z drugim składnikiem anuluje resetowanie.',
        ]
  const contact = isOwn ? 'zmień hasło: zna je ktoś inny' : 'skontaktuj się z administracją serwisu'
  return {
    subject: subjects[stage],
    preheader: paragraphs[0] ?? '',
    heading: stage === 'done' ? 'Drugie składniki zostały zresetowane' : 'Drugie składniki zostaną zresetowane',
    paragraphs,
    facts: [
      ['Drugie składniki', factorList(notice, names)],
      ['Czas', time(effectiveAt)],
    ],
    ...resetPage(context, notice, ['Anuluj resetowanie', 'Sprawdź bezpieczeństwo']),
    footnote:
      stage === 'done'
        ? 'Jeśli ta prośba nie pochodzi od Ciebie, skontaktuj się z administracją serwisu i zmień hasło.'
        : `Jeśli ta prośba nie pochodzi od Ciebie, anuluj resetowanie i ${contact}.`,
  }
}

export const resetMails: MailTexts<ResetMails> = {
  'two-factor-reset': inPolish,
  'two-factor-reset-code': ({ otp }, { appName, config, duration }) => ({
    subject: `${otp} to Twój kod do zresetowania drugich składników konta ${appName}`,
    preheader: 'Usuwa wszystkie Twoje drugie składniki.',
    heading: otp,
    paragraphs: [
      `Tym kodem poprosisz o zresetowanie drugich składników konta ${appName}. Czas ważności: ${duration(config.twoFactor.otpOptions.period * 60)}.`,
    ],
    footnote: 'Nikomu go nie podawaj. Jeśli ta prośba nie pochodzi od Ciebie, ktoś inny zna Twoje hasło: zmień je teraz.',
  }),
}

export const resetTexts: ShortTexts<ResetTexts> = {
  'two-factor-reset': ({ stage, effectiveAt }, { appName, time }) => {
    if (stage === 'cancelled') return `${appName}: resetowanie Twoich drugich składników zostało anulowane. Pozostają bez zmian.`
    return stage === 'done'
      ? `${appName}: Twoje drugie składniki zostały zresetowane. To nie Ty? Skontaktuj się z administracją serwisu.`
      : `${appName}: resetowanie Twoich drugich składników: ${time(effectiveAt)}. To nie Ty? Anuluj je linkiem z naszego e-maila.`
  },
  'two-factor-reset-code': ({ otp }, { appName, config, duration }) =>
    `${otp} to Twój kod do zresetowania drugich składników konta ${appName}. Czas ważności: ${duration(config.twoFactor.otpOptions.period * 60)}. Nikomu go nie podawaj.${bound(config, otp)}`,
}
