/** The texts in English. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import type { PasswordSource } from '../../accounts/index.ts'
import type { PasswordNotice } from '../mails.ts'
import type { Mails } from '../texts.ts'

const means: Readonly<Record<PasswordSource, string>> = {
  session: '',
  ...{ 'reset-link': ' with a reset link', 'setup-link': ' with a setup link', 'verification-link': ' with a verification link' },
  ...{ code: ' with a code by text message', administrator: ' by an administrator', operator: ' by an operator' },
}

function paragraphsOf(
  { by, sessionsEnded, apiKeysEnded, apiKeysLeft }: PasswordNotice,
  { appName, plural, list }: TextContext,
): string[] {
  const ended = [
    ...(sessionsEnded > 0 ? [plural(sessionsEnded, { one: '# session', other: '# sessions' })] : []),
    ...(apiKeysEnded > 0 ? [plural(apiKeysEnded, { one: '# API key', other: '# API keys' })] : []),
  ]
  const changed = `The password of your ${appName} account was changed${means[by] ?? ''}.`
  const left = plural(apiKeysLeft, {
    one: '# API key of your account still works.',
    other: '# API keys of your account still work.',
  })
  return [
    ended.length > 0 ? `${changed} This ended ${list(ended)}.` : changed,
    ...(apiKeysLeft > 0 ? [`${left} Delete those that you do not know.`] : []),
  ]
}

export const mails: MailTexts<Mails> = {
  'password-changed': (notice, context) => ({
    subject: `Your ${context.appName} password was changed`,
    preheader: "If this wasn't you, request a password reset now.",
    heading: 'Your password was changed',
    paragraphs: paragraphsOf(notice, context),
    ...(notice.apiKeysLeft > 0 && context.button('/account/api-keys', 'Review your API keys')),
    footnote:
      "If this was you, you don't need to do anything. If it wasn't, request a password reset now: someone else may have access to your account.",
  }),
}
