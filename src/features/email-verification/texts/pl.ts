/** The texts in Polish. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { endedParts, type PartTexts } from './parts.ts'

const parts = ({ plural }: TextContext): PartTexts => ({
  ...{ password: 'hasło', phoneNumber: 'numer telefonu', provider: (id) => `konto ${id}` },
  sessions: (count) => plural(count, { one: '# sesja', few: '# sesje', many: '# sesji', other: '# sesji' }),
  apiKeys: (count) => plural(count, { one: '# klucz API', few: '# klucze API', many: '# kluczy API', other: '# klucza API' }),
  passkeys: (count) =>
    plural(count, { one: '# klucz dostępu', few: '# klucze dostępu', many: '# kluczy dostępu', other: '# klucza dostępu' }),
  secondFactors: (count) =>
    plural(count, {
      one: '# drugi składnik',
      few: '# drugie składniki',
      many: '# drugich składników',
      other: '# drugiego składnika',
    }),
  trustedBrowsers: (count) =>
    plural(count, {
      one: '# zaufana przeglądarka',
      few: '# zaufane przeglądarki',
      many: '# zaufanych przeglądarek',
      other: '# zaufanej przeglądarki',
    }),
})

export const mails: MailTexts<Mails> = {
  verification: ({ url }, { appName, config, duration }) => ({
    subject: `Zweryfikuj adres e-mail dla ${appName}`,
    preheader: `Dokończ konfigurację konta. Czas ważności linku: ${duration(config.emailVerification.expiresIn)}.`,
    heading: 'Zweryfikuj adres e-mail',
    paragraphs: [`Zweryfikuj adres e-mail, aby dokończyć konfigurację konta ${appName}.`],
    action: { label: 'Zweryfikuj adres e-mail', url },
    footnote: `Czas ważności linku: ${duration(config.emailVerification.expiresIn)}. Jeśli ta prośba nie pochodzi od Ciebie, zignoruj ten e-mail.`,
  }),
  'earlier-access-ended': (ended, context) => ({
    subject: `Wcześniejszy dostęp do konta ${context.appName} został zakończony`,
    preheader: 'Ktoś inny mógł wcześniej utworzyć konto z Twoim adresem e-mail.',
    heading: 'Wcześniejszy dostęp został zakończony',
    paragraphs: [
      `Ten adres e-mail jest teraz zweryfikowany jako Twój. Wcześniej nie był, więc konto ${context.appName} z tym adresem mógł utworzyć ktoś inny. Dlatego wszystko, co skonfigurowano wcześniej, przestało działać.`,
    ],
    facts: [['Przestało działać', endedParts(ended, parts(context)).join(', ')]],
    footnote: 'Jeśli to były Twoje ustawienia, skonfiguruj je na koncie ponownie. Nadal możesz zalogować się adresem e-mail.',
  }),
}
