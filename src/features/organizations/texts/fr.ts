/** The texts in French. */
import type { MailTexts } from '../../../core/message.ts'
import { nameInMail } from '../../../lib/mail-name.ts'
import type { Config } from '../../index.ts'
import type { Mails } from '../texts.ts'

const offersEmailCodes = ({ twoFactor }: Config): boolean => twoFactor.otpOptions.channels.includes('email')

export const mails: MailTexts<Mails> = {
  'organization-invitation': ({ organization, inviter, role, email, url }, { appName, config, duration }) => {
    const [to, from] = [nameInMail(organization.name), nameInMail(inviter.user.name) || 'Un membre']
    // An application for one organization has its name.
    const where = to === appName ? to : `l’organisation ${to} sur ${appName}`
    return {
      subject: `${from} vous invite à rejoindre ${to}`,
      preheader: `L’invitation expire dans ${duration(config.organization.invitationExpiresIn)}.`,
      heading: `Rejoignez ${to}`,
      paragraphs: [
        `${from} vous invite à rejoindre ${where}.`,
        'Pour accepter, connectez-vous avec l’adresse e-mail de l’invitation, ou créez un compte avec elle.',
      ],
      facts: [
        ['Adresse e-mail', email],
        ['Votre rôle', nameInMail(role.replaceAll(',', ', '))],
      ],
      ...(url !== null && { action: { label: 'Voir l’invitation', url } }),
      footnote: `Cette invitation expire dans ${duration(config.organization.invitationExpiresIn)}. Si vous ne l’attendiez pas, vous pouvez ignorer cet e-mail.`,
    }
  },
  'organization-two-factor': ({ organization, required }, { appName, config, button }) => {
    const name = nameInMail(organization.name)
    const why = required
      ? `L’organisation ${name} exige que ses membres protègent leur compte avec un second facteur. Sans second facteur, vous perdez l’accès à ${name}, mais pas à votre compte.`
      : `L’organisation ${name} demande à ses membres de protéger leur compte avec un second facteur.`
    return {
      subject: `Configurez un second facteur pour ${name}`,
      preheader: `Une application d’authentification ou une clé d’accès protège votre compte ${appName}.`,
      heading: 'Protégez votre compte avec un second facteur',
      paragraphs: [
        why,
        'La configuration d’une application d’authentification ou d’une clé d’accès prend environ deux minutes.',
        ...(offersEmailCodes(config) ? ['Les codes par e-mail ne suffisent pas.'] : []),
      ],
      ...button('/account/security', 'Configurer un second facteur'),
      footnote: `Vous recevez cet e-mail en tant que membre de l’organisation ${name} sur ${appName}.`,
    }
  },
}
