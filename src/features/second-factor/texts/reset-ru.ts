/** The texts about a reset of second factors in Russian. */
import type { MailContent, MailTexts, ShortTexts, TextContext } from '../../../core/message.ts'
import { bound } from '../code-messages.ts'
import type { ResetNotice } from '../reset-mail.ts'
import { factorList, resetPage } from '../reset-page.ts'
import type { ResetMails, ResetTexts } from '../texts.ts'

const names: Readonly<Record<string, string>> = {
  totp: 'приложение-аутентификатор',
  otp: 'отправляемые коды',
  passkeys: 'ключи доступа',
  'backup-codes': 'резервные коды',
}

function inRussian(notice: ResetNotice, context: TextContext): MailContent {
  const { appName: app, time } = context
  const { stage, requestedBy, effectiveAt } = notice
  const isOwn = requestedBy === 'user'
  const who = isOwn ? 'Вы запросили это при входе' : 'Это запросил администратор'
  const subjects = {
    requested: `Вторые факторы аккаунта ${app} будут сброшены`,
    soon: `Напоминание: вторые факторы аккаунта ${app} будут сброшены`,
    done: `Вторые факторы аккаунта ${app} сброшены`,
  }
  const removed = isOwn ? 'По запросу при входе вторые факторы' : 'По запросу администратора вторые факторы'
  const paragraphs =
    stage === 'done'
      ? [`${removed} вашего аккаунта удалены, а все сеансы завершены. Войдите снова и настройте то, что вам нужно.`]
      : [
          `${who}. ${time(effectiveAt)} вторые факторы вашего аккаунта будут удалены, а все сеансы завершены.`,
          'Вход со вторым фактором отменяет сброс.',
        ]
  const contact = isOwn ? 'смените пароль: его знает кто-то ещё' : 'обратитесь к администрации сайта'
  return {
    subject: subjects[stage],
    preheader: paragraphs[0] ?? '',
    heading: stage === 'done' ? 'Вторые факторы сброшены' : 'Вторые факторы будут сброшены',
    paragraphs,
    facts: [
      ['Вторые факторы', factorList(notice, names)],
      ['Время', time(effectiveAt)],
    ],
    ...resetPage(context, notice, ['Отменить сброс', 'Проверить безопасность']),
    footnote:
      stage === 'done'
        ? 'Если вы этого не запрашивали, обратитесь к администрации сайта и смените пароль.'
        : `Если вы этого не запрашивали, отмените сброс и ${contact}.`,
  }
}

export const resetMails: MailTexts<ResetMails> = {
  'two-factor-reset': inRussian,
  'two-factor-reset-code': ({ otp }, { appName, config, duration }) => ({
    subject: `${otp} — ваш код для сброса вторых факторов аккаунта ${appName}`,
    preheader: 'Он удаляет все ваши вторые факторы.',
    heading: otp,
    paragraphs: [
      `Этот код запрашивает сброс вторых факторов вашего аккаунта ${appName}. Срок действия: ${duration(config.twoFactor.otpOptions.period * 60)}.`,
    ],
    footnote: 'Никому его не сообщайте. Если вы его не запрашивали, ваш пароль знает кто-то ещё: сразу смените его.',
  }),
}

export const resetTexts: ShortTexts<ResetTexts> = {
  'two-factor-reset': ({ stage, effectiveAt }, { appName, time }) => {
    if (stage === 'cancelled') return `${appName}: сброс ваших вторых факторов отменён. Они остались без изменений.`
    return stage === 'done'
      ? `${appName}: ваши вторые факторы сброшены. Это не вы? Обратитесь к администрации сайта.`
      : `${appName}: сброс ваших вторых факторов: ${time(effectiveAt)}. Это не вы? Отмените его по ссылке из нашего письма.`
  },
  'two-factor-reset-code': ({ otp }, { appName, config, duration }) =>
    `${otp} — ваш код для сброса вторых факторов аккаунта ${appName}. Срок действия: ${duration(config.twoFactor.otpOptions.period * 60)}. Никому его не сообщайте.${bound(config, otp)}`,
}
