/** The texts in German. */
import type { MailTexts } from '../../../core/message.ts'
import { nameInMail } from '../../../lib/mail-name.ts'
import type { Config } from '../../index.ts'
import type { Mails } from '../texts.ts'

const offersEmailCodes = ({ twoFactor }: Config): boolean => twoFactor.otpOptions.channels.includes('email')

export const mails: MailTexts<Mails> = {
  'organization-invitation': ({ organization, inviter, role, email, url }, { appName, config, duration, say }) => {
    const [to, from] = [nameInMail(organization.name), nameInMail(inviter.user.name) || 'Ein Mitglied']
    const where = to === appName ? `zu ${to}` : `zur Organisation ${to} bei ${appName}`
    return {
      subject: say(`${from} hat Sie zu ${to} eingeladen`, `${from} hat dich zu ${to} eingeladen`),
      preheader: `Die Einladung ist ${duration(config.organization.invitationExpiresIn)} lang gültig.`,
      heading: `Einladung zu ${to}`,
      paragraphs: [
        say(`${from} hat Sie ${where} eingeladen.`, `${from} hat dich ${where} eingeladen.`),
        say(
          'Um die Einladung anzunehmen, melden Sie sich mit der eingeladenen E-Mail-Adresse an oder erstellen Sie damit ein Konto.',
          'Um die Einladung anzunehmen, melde dich mit der eingeladenen E-Mail-Adresse an oder erstelle damit ein Konto.',
        ),
      ],
      facts: [
        ['E-Mail-Adresse', email],
        [say('Ihre Rolle', 'Deine Rolle'), nameInMail(role.replaceAll(',', ', '))],
      ],
      ...(url !== null && { action: { label: 'Einladung ansehen', url } }),
      footnote: say(
        `Die Einladung ist ${duration(config.organization.invitationExpiresIn)} lang gültig. Wenn Sie keine Einladung erwartet haben, können Sie diese E-Mail ignorieren.`,
        `Die Einladung ist ${duration(config.organization.invitationExpiresIn)} lang gültig. Wenn du keine Einladung erwartet hast, kannst du diese E-Mail ignorieren.`,
      ),
    }
  },
  'organization-two-factor': ({ organization, required }, { appName, config, button, say }) => {
    const name = nameInMail(organization.name)
    const why = required
      ? say(
          `${name} verlangt, dass Mitglieder ihr Konto mit einem zweiten Faktor schützen. Ohne ihn verlieren Sie den Zugang zu ${name}, aber nicht zu Ihrem Konto.`,
          `${name} verlangt, dass Mitglieder ihr Konto mit einem zweiten Faktor schützen. Ohne ihn verlierst du den Zugang zu ${name}, aber nicht zu deinem Konto.`,
        )
      : `${name} bittet alle Mitglieder, ihr Konto mit einem zweiten Faktor zu schützen.`
    return {
      subject: `Zweiten Faktor für ${name} einrichten`,
      preheader: say(
        `Eine Authenticator-App oder ein Passkey schützt Ihr Konto bei ${appName}.`,
        `Eine Authenticator-App oder ein Passkey schützt dein Konto bei ${appName}.`,
      ),
      heading: say('Schützen Sie Ihr Konto mit einem zweiten Faktor', 'Schütze dein Konto mit einem zweiten Faktor'),
      paragraphs: [
        why,
        'Eine Authenticator-App oder ein Passkey ist in etwa zwei Minuten eingerichtet.',
        ...(offersEmailCodes(config) ? ['Codes per E-Mail reichen nicht aus.'] : []),
      ],
      ...button('/account/security', 'Zweiten Faktor einrichten'),
      footnote: say(
        `Sie erhalten diese E-Mail, weil Sie Mitglied von ${name} bei ${appName} sind.`,
        `Du erhältst diese E-Mail, weil du Mitglied von ${name} bei ${appName} bist.`,
      ),
    }
  },
}
