/** The texts in German. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'set-up-link': ({ url }, { appName, config, duration, say }) => ({
    subject: say(`Legen Sie Ihr Passwort für ${appName} fest`, `Lege dein Passwort für ${appName} fest`),
    preheader: `Der Link für das Passwort ist ${duration(config.seed.setupLinkExpiresIn)} lang gültig.`,
    heading: say('Legen Sie Ihr Passwort fest', 'Lege dein Passwort fest'),
    paragraphs: [
      say(
        `Ihr Konto bei ${appName} ist auf ein neues Anmeldesystem umgezogen. Legen Sie ein Passwort fest, um sich wieder anzumelden. Alles andere in Ihrem Konto bleibt gleich.`,
        `Dein Konto bei ${appName} ist auf ein neues Anmeldesystem umgezogen. Lege ein Passwort fest, um dich wieder anzumelden. Alles andere in deinem Konto bleibt gleich.`,
      ),
    ],
    action: { label: 'Passwort festlegen', url },
    footnote: say(
      `Der Link funktioniert einmal und ist ${duration(config.seed.setupLinkExpiresIn)} lang gültig. Sie erhalten ihn, weil jemand versucht hat, sich mit Ihrer E-Mail-Adresse anzumelden. Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren.`,
      `Der Link funktioniert einmal und ist ${duration(config.seed.setupLinkExpiresIn)} lang gültig. Du erhältst ihn, weil jemand versucht hat, sich mit deiner E-Mail-Adresse anzumelden. Wenn du das nicht warst, kannst du diese E-Mail ignorieren.`,
    ),
  }),
}
