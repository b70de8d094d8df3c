/** The texts in Ukrainian. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import type { PasswordSource } from '../../accounts/index.ts'
import type { PasswordNotice } from '../mails.ts'
import type { Mails } from '../texts.ts'

const means: Readonly<Record<PasswordSource, string>> = {
  session: '',
  'reset-link': ' за посиланням для скидання',
  'setup-link': ' за посиланням для налаштування',
  'verification-link': ' за посиланням для підтвердження',
  code: ' за допомогою коду з SMS',
  administrator: ' адміністратором',
  operator: ' адміністрацією сайту',
}

function paragraphsOf(
  { by, sessionsEnded, apiKeysEnded, apiKeysLeft }: PasswordNotice,
  { appName, plural, list }: TextContext,
): string[] {
  const apiKeys = { one: '# ключ API', few: '# ключі API', many: '# ключів API', other: '# ключа API' }
  const sessions = { one: '# сеанс', few: '# сеанси', many: '# сеансів', other: '# сеансу' }
  const ended = [
    ...(sessionsEnded > 0 ? [plural(sessionsEnded, sessions)] : []),
    ...(apiKeysEnded > 0 ? [plural(apiKeysEnded, apiKeys)] : []),
  ]
  const changed = `Пароль вашого облікового запису ${appName} змінено${means[by] ?? ''}.`
  return [
    ended.length > 0 ? `${changed} Більше не діє: ${list(ended)}.` : changed,
    ...(apiKeysLeft > 0 ? [`Діє й далі: ${plural(apiKeysLeft, apiKeys)}. Видаліть незнайомі вам ключі.`] : []),
  ]
}

export const mails: MailTexts<Mails> = {
  'password-changed': (notice, context) => ({
    subject: `Пароль облікового запису ${context.appName} змінено`,
    preheader: 'Якщо це були не ви, негайно надішліть запит на скидання пароля.',
    heading: 'Пароль змінено',
    paragraphs: paragraphsOf(notice, context),
    ...(notice.apiKeysLeft > 0 && context.button('/account/api-keys', 'Перевірити ключі API')),
    footnote:
      'Якщо це були ви, нічого робити не потрібно. Якщо ні, негайно надішліть запит на скидання пароля: можливо, доступ до облікового запису має хтось інший.',
  }),
}
