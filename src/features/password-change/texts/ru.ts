/** The texts in Russian. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import type { PasswordSource } from '../../accounts/index.ts'
import type { PasswordNotice } from '../mails.ts'
import type { Mails } from '../texts.ts'

const means: Readonly<Record<PasswordSource, string>> = {
  session: '',
  'reset-link': ' по ссылке для сброса',
  'setup-link': ' по ссылке для настройки',
  'verification-link': ' по ссылке для подтверждения',
  code: ' с помощью кода из SMS',
  administrator: ' администратором',
  operator: ' администрацией сайта',
}

function paragraphsOf(
  { by, sessionsEnded, apiKeysEnded, apiKeysLeft }: PasswordNotice,
  { appName, plural, list }: TextContext,
): string[] {
  const apiKeys = { one: '# ключ API', few: '# ключа API', many: '# ключей API', other: '# ключа API' }
  const sessions = { one: '# сеанс', few: '# сеанса', many: '# сеансов', other: '# сеанса' }
  const ended = [
    ...(sessionsEnded > 0 ? [plural(sessionsEnded, sessions)] : []),
    ...(apiKeysEnded > 0 ? [plural(apiKeysEnded, apiKeys)] : []),
  ]
  const changed = `Пароль вашего аккаунта ${appName} изменён${means[by] ?? ''}.`
  return [
    ended.length > 0 ? `${changed} Больше не действует: ${list(ended)}.` : changed,
    ...(apiKeysLeft > 0 ? [`По-прежнему действует: ${plural(apiKeysLeft, apiKeys)}. Удалите незнакомые вам ключи.`] : []),
  ]
}

export const mails: MailTexts<Mails> = {
  'password-changed': (notice, context) => ({
    subject: `Пароль аккаунта ${context.appName} изменён`,
    preheader: 'Если это были не вы, сразу запросите сброс пароля.',
    heading: 'Пароль изменён',
    paragraphs: paragraphsOf(notice, context),
    ...(notice.apiKeysLeft > 0 && context.button('/account/api-keys', 'Проверить ключи API')),
    footnote:
      'Если это были вы, ничего делать не нужно. Если нет, сразу запросите сброс пароля: возможно, доступ к аккаунту есть у кого-то ещё.',
  }),
}
