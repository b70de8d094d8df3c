/** The texts about a reset of second factors in Ukrainian. */
import type { MailContent, MailTexts, ShortTexts, TextContext } from '../../../core/message.ts'
import { bound } from '../code-messages.ts'
import type { ResetNotice } from '../reset-mail.ts'
import { factorList, resetPage } from '../reset-page.ts'
import type { ResetMails, ResetTexts } from '../texts.ts'

const names: Readonly<Record<string, string>> = {
  totp: 'застосунок для автентифікації',
  otp: 'коди, що надсилаються',
  passkeys: 'ключі доступу',
  'backup-codes': 'резервні коди',
}

function inUkrainian(notice: ResetNotice, context: TextContext): MailContent {
  const { appName: app, time } = context
  const { stage, requestedBy, effectiveAt } = notice
  const isOwn = requestedBy === 'user'
  const who = isOwn ? 'Ви надіслали цей запит під час входу' : 'Цей запит надіслав адміністратор'
  const subjects = {
    requested: `Другі фактори облікового запису ${app} буде скинуто`,
    soon: `Нагадування: другі фактори облікового запису ${app} буде скинуто`,
    done: `Другі фактори облікового запису ${app} скинуто`,
  }
  const removed = isOwn ? 'За запитом під час входу другі фактори' : 'За запитом адміністратора другі фактори'
  const paragraphs =
    stage === 'done'
      ? [`${removed} вашого облікового запису вилучено, а всі сеанси завершено. Увійдіть знову й налаштуйте те, що вам потрібно.`]
      : [
          `${who}. ${time(effectiveAt)} другі фактори вашого облікового запису буде вилучено, а всі сеанси завершено.`,
          'Вхід із другим фактором скасовує скидання.',
        ]
  const contact = isOwn ? 'змініть пароль: його знає хтось інший' : 'зверніться до адміністрації сайту'
  return {
    subject: subjects[stage],
    preheader: paragraphs[0] ?? '',
    heading: stage === 'done' ? 'Другі фактори скинуто' : 'Другі фактори буде скинуто',
    paragraphs,
    facts: [
      ['Другі фактори', factorList(notice, names)],
      ['Час', time(effectiveAt)],
    ],
    ...resetPage(context, notice, ['Скасувати скидання', 'Перевірити безпеку']),
    footnote:
      stage === 'done'
        ? 'Якщо ви не надсилали цього запиту, зверніться до адміністрації сайту та змініть пароль.'
        : `Якщо ви не надсилали цього запиту, скасуйте скидання й ${contact}.`,
  }
}

export const resetMails: MailTexts<ResetMails> = {
  'two-factor-reset': inUkrainian,
  'two-factor-reset-code': ({ otp }, { appName, config, duration }) => ({
    subject: `${otp} — ваш код для скидання других факторів облікового запису ${appName}`,
    preheader: 'Він вилучає всі ваші другі фактори.',
    heading: otp,
    paragraphs: [
      `Цей код потрібен для скидання других факторів вашого облікового запису ${appName}. Термін дії: ${duration(config.twoFactor.otpOptions.period * 60)}.`,
    ],
    footnote:
      'Нікому його не повідомляйте. Якщо ви не надсилали цього запиту, ваш пароль знає хтось інший: негайно змініть його.',
  }),
}

export const resetTexts: ShortTexts<ResetTexts> = {
  'two-factor-reset': ({ stage, effectiveAt }, { appName, time }) => {
    if (stage === 'cancelled') return `${appName}: скидання ваших других факторів скасовано. Вони залишилися без змін.`
    return stage === 'done'
      ? `${appName}: ваші другі фактори скинуто. Це не ви? Зверніться до адміністрації сайту.`
      : `${appName}: скидання ваших других факторів: ${time(effectiveAt)}. Це не ви? Скасуйте його за посиланням із нашого листа.`
  },
  'two-factor-reset-code': ({ otp }, { appName, config, duration }) =>
    `${otp} — ваш код для скидання других факторів облікового запису ${appName}. Термін дії: ${duration(config.twoFactor.otpOptions.period * 60)}. Нікому його не повідомляйте.${bound(config, otp)}`,
}
