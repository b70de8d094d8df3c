/** The texts in Polish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'api-key-created': ({ start }, { appName, button }) => ({
    subject: `Utworzono klucz API dla konta ${appName}`,
    preheader: 'Programy z tym kluczem działają w Twoim imieniu. Jeśli to nie Twój klucz, usuń go.',
    heading: 'Utworzono klucz API',
    paragraphs: [`Dla Twojego konta ${appName} utworzono klucz API. Programy z tym kluczem działają w Twoim imieniu.`],
    ...(start !== null && { facts: [['Początek klucza', start]] as const }),
    ...button('/account/api-keys', 'Sprawdź klucze API'),
    footnote: 'Jeśli to Ty, nie musisz nic robić. Jeśli nie, usuń klucz i zmień hasło: ktoś inny ma dostęp do Twojego konta.',
  }),
}
