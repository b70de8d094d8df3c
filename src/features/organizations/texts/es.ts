/** The texts in Spanish. */
import type { MailTexts } from '../../../core/message.ts'
import { nameInMail } from '../../../lib/mail-name.ts'
import type { Config } from '../../index.ts'
import type { Mails } from '../texts.ts'

const offersEmailCodes = ({ twoFactor }: Config): boolean => twoFactor.otpOptions.channels.includes('email')

export const mails: MailTexts<Mails> = {
  'organization-invitation': ({ organization, inviter, role, email, url }, { appName, config, duration }) => {
    const [to, from] = [nameInMail(organization.name), nameInMail(inviter.user.name) || 'Un miembro']
    // An application for one organization has its name.
    const where = to === appName ? to : `la organización ${to} en ${appName}`
    return {
      subject: `${from} te invitó a ${to}`,
      preheader: `La invitación vence en ${duration(config.organization.invitationExpiresIn)}.`,
      heading: `Únete a ${to}`,
      paragraphs: [
        `${from} te invitó a unirte a ${where}.`,
        'Para aceptar, inicia sesión con la dirección de correo de la invitación o crea una cuenta con ella.',
      ],
      facts: [
        ['Dirección de correo', email],
        ['Tu rol', nameInMail(role.replaceAll(',', ', '))],
      ],
      ...(url !== null && { action: { label: 'Ver invitación', url } }),
      footnote: `Esta invitación vence en ${duration(config.organization.invitationExpiresIn)}. Si no la esperabas, puedes ignorar este correo.`,
    }
  },
  'organization-two-factor': ({ organization, required }, { appName, config, button }) => {
    const name = nameInMail(organization.name)
    const why = required
      ? `${name} exige a sus miembros que protejan su cuenta con un segundo factor. Sin uno, pierdes el acceso a ${name}, pero no a tu cuenta.`
      : `${name} pide a sus miembros que protejan su cuenta con un segundo factor.`
    return {
      subject: `Configura un segundo factor para ${name}`,
      preheader: `Una app de autenticación o una llave de acceso protege tu cuenta de ${appName}.`,
      heading: 'Protege tu cuenta con un segundo factor',
      paragraphs: [
        why,
        'Configurar una app de autenticación o una llave de acceso lleva unos dos minutos.',
        ...(offersEmailCodes(config) ? ['Los códigos por correo no bastan.'] : []),
      ],
      ...button('/account/security', 'Configurar un segundo factor'),
      footnote: `Recibes este correo porque eres miembro de ${name} en ${appName}.`,
    }
  },
}
