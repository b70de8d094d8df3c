/** The texts in Turkish. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import type { PasswordSource } from '../../accounts/index.ts'
import type { PasswordNotice } from '../mails.ts'
import type { Mails } from '../texts.ts'

const means: Readonly<Record<PasswordSource, string>> = {
  session: '',
  ...{
    'reset-link': 'sıfırlama bağlantısıyla ',
    'setup-link': 'parola belirleme bağlantısıyla ',
    'verification-link': 'doğrulama bağlantısıyla ',
  },
  ...{ code: 'SMS koduyla ', administrator: 'bir yönetici tarafından ', operator: 'site işletmecisi tarafından ' },
}

function paragraphsOf(
  { by, sessionsEnded, apiKeysEnded, apiKeysLeft }: PasswordNotice,
  { appName, plural, list }: TextContext,
): string[] {
  const ended = [
    ...(sessionsEnded > 0 ? [plural(sessionsEnded, { one: '# oturum', other: '# oturum' })] : []),
    ...(apiKeysEnded > 0 ? [plural(apiKeysEnded, { one: '# API anahtarı', other: '# API anahtarı' })] : []),
  ]
  const changed = `${appName} hesabınızın parolası ${means[by] ?? ''}değiştirildi.`
  const left = plural(apiKeysLeft, {
    one: 'Hesabınızın # API anahtarı hâlâ çalışıyor.',
    other: 'Hesabınızın # API anahtarı hâlâ çalışıyor.',
  })
  return [
    ended.length > 0 ? `${changed} Bununla sona erenler: ${list(ended)}.` : changed,
    ...(apiKeysLeft > 0 ? [`${left} Tanımadıklarınızı silin.`] : []),
  ]
}

export const mails: MailTexts<Mails> = {
  'password-changed': (notice, context) => ({
    subject: `${context.appName} parolanız değiştirildi`,
    preheader: 'Bunu siz yapmadıysanız hemen parola sıfırlama isteyin.',
    heading: 'Parolanız değiştirildi',
    paragraphs: paragraphsOf(notice, context),
    ...(notice.apiKeysLeft > 0 && context.button('/account/api-keys', 'API anahtarlarınızı gözden geçirin')),
    footnote:
      'Bunu yapan sizseniz bir şey yapmanız gerekmez. Siz değilseniz hemen parola sıfırlama isteyin: Başka biri hesabınıza erişiyor olabilir.',
  }),
}
