/** The texts in Polish. */
import type { MailTexts } from '../../../core/message.ts'
import { nameInMail } from '../../../lib/mail-name.ts'
import type { Config } from '../../index.ts'
import type { Mails } from '../texts.ts'

const offersEmailCodes = ({ twoFactor }: Config): boolean => twoFactor.otpOptions.channels.includes('email')

export const mails: MailTexts<Mails> = {
  'organization-invitation': ({ organization, inviter, role, email, url }, { appName, config, duration }) => {
    const [to, from] = [nameInMail(organization.name), nameInMail(inviter.user.name) || 'Członek organizacji']
    const time = duration(config.organization.invitationExpiresIn)
    // An application for one organization has its name.
    const where = to === appName ? ` do „${to}”` : ` do organizacji „${to}” (${appName})`
    return {
      subject: `${from} zaprasza Cię do „${to}”`,
      preheader: `Przyjmij zaproszenie. Czas jego ważności: ${time}.`,
      heading: `Zaproszenie do „${to}”`,
      paragraphs: [
        `${from} zaprasza Cię${where}.`,
        'Aby przyjąć zaproszenie, zaloguj się adresem e-mail, na który przyszło, lub utwórz z nim konto.',
      ],
      facts: [
        ['Adres e-mail', email],
        ['Twoja rola', nameInMail(role.replaceAll(',', ', '))],
      ],
      ...(url !== null && { action: { label: 'Zobacz zaproszenie', url } }),
      footnote: `Czas ważności zaproszenia: ${time}. Jeśli to dla Ciebie niespodzianka, zignoruj ten e-mail.`,
    }
  },
  'organization-two-factor': ({ organization, required }, { appName, config, button }) => {
    const name = nameInMail(organization.name)
    const why = required
      ? `Organizacja „${name}” wymaga, aby jej członkowie chronili konta drugim składnikiem. Bez niego stracisz dostęp do tej organizacji, ale nie do swojego konta.`
      : `Organizacja „${name}” prosi członków o ochronę kont drugim składnikiem.`
    return {
      subject: `Skonfiguruj drugi składnik dla organizacji „${name}”`,
      preheader: `Aplikacja uwierzytelniająca lub klucz dostępu chroni Twoje konto ${appName}.`,
      heading: 'Chroń swoje konto drugim składnikiem',
      paragraphs: [
        why,
        'Konfiguracja aplikacji uwierzytelniającej lub klucza dostępu trwa około dwóch minut.',
        ...(offersEmailCodes(config) ? ['Kody e-mailem nie wystarczą.'] : []),
      ],
      ...button('/account/security', 'Skonfiguruj drugi składnik'),
      footnote: `Dostajesz ten e-mail, bo należysz do organizacji „${name}” (${appName}).`,
    }
  },
}
