/** The texts in Polish. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import type { PasswordSource } from '../../accounts/index.ts'
import type { PasswordNotice } from '../mails.ts'
import type { Mails } from '../texts.ts'

const means: Readonly<Record<PasswordSource, string>> = {
  session: '',
  'reset-link': ' za pomocą linku do resetowania',
  'setup-link': ' za pomocą linku do konfiguracji',
  'verification-link': ' za pomocą linku weryfikacyjnego',
  code: ' za pomocą kodu z SMS-a',
  administrator: ' przez administratora',
  operator: ' przez administrację serwisu',
}

function paragraphsOf(
  { by, sessionsEnded, apiKeysEnded, apiKeysLeft }: PasswordNotice,
  { appName, plural, list }: TextContext,
): string[] {
  const apiKeys = { one: '# klucz API', few: '# klucze API', many: '# kluczy API', other: '# klucza API' }
  const sessions = { one: '# sesja', few: '# sesje', many: '# sesji', other: '# sesji' }
  const ended = [
    ...(sessionsEnded > 0 ? [plural(sessionsEnded, sessions)] : []),
    ...(apiKeysEnded > 0 ? [plural(apiKeysEnded, apiKeys)] : []),
  ]
  const changed = `Hasło do Twojego konta ${appName} zostało zmienione${means[by] ?? ''}.`
  return [
    ended.length > 0 ? `${changed} Przestało działać: ${list(ended)}.` : changed,
    ...(apiKeysLeft > 0 ? [`Nadal działa: ${plural(apiKeysLeft, apiKeys)}. Usuń klucze, których nie znasz.`] : []),
  ]
}

export const mails: MailTexts<Mails> = {
  'password-changed': (notice, context) => ({
    subject: `Hasło do konta ${context.appName} zostało zmienione`,
    preheader: 'Jeśli to nie Ty, poproś teraz o zresetowanie hasła.',
    heading: 'Hasło zostało zmienione',
    paragraphs: paragraphsOf(notice, context),
    ...(notice.apiKeysLeft > 0 && context.button('/account/api-keys', 'Sprawdź klucze API')),
    footnote:
      'Jeśli to Ty, nie musisz nic robić. Jeśli nie, poproś teraz o zresetowanie hasła: ktoś inny może mieć dostęp do Twojego konta.',
  }),
}
