/** The texts in English. */
import type { MailTexts } from '../../../core/message.ts'
import { nameInMail } from '../../../lib/mail-name.ts'
import type { Config } from '../../index.ts'
import type { Mails } from '../texts.ts'

const offersEmailCodes = ({ twoFactor }: Config): boolean => twoFactor.otpOptions.channels.includes('email')

export const mails: MailTexts<Mails> = {
  'organization-invitation': ({ organization, inviter, role, email, url }, { appName, config, duration }) => {
    const [to, from] = [nameInMail(organization.name), nameInMail(inviter.user.name) || 'A member']
    // An application for one organization has its name.
    const where = to === appName ? to : `the organization ${to} on ${appName}`
    return {
      subject: `${from} invited you to ${to}`,
      preheader: `Accept the invitation within ${duration(config.organization.invitationExpiresIn)}.`,
      heading: `Join ${to}`,
      paragraphs: [
        `${from} invited you to join ${where}.`,
        'To accept, sign in with the email address of the invitation, or create an account with it.',
      ],
      facts: [
        ['Email address', email],
        ['Your role', nameInMail(role.replaceAll(',', ', '))],
      ],
      ...(url !== null && { action: { label: 'View invitation', url } }),
      footnote: `This invitation expires in ${duration(config.organization.invitationExpiresIn)}. If you didn't expect it, you can ignore this email.`,
    }
  },
  'organization-two-factor': ({ organization, required }, { appName, config, button }) => {
    const name = nameInMail(organization.name)
    const why = required
      ? `${name} requires its members to protect their account with a second factor. Without one, you lose access to ${name}, but not to your account.`
      : `${name} asks its members to protect their account with a second factor.`
    return {
      subject: `Set up a second factor for ${name}`,
      preheader: `An authenticator app or a passkey protects your ${appName} account.`,
      heading: 'Protect your account with a second factor',
      paragraphs: [
        why,
        'An authenticator app or a passkey takes about two minutes to set up.',
        ...(offersEmailCodes(config) ? ['Codes by email are not enough.'] : []),
      ],
      ...button('/account/security', 'Set up a second factor'),
      footnote: `You get this email because you are a member of ${name} on ${appName}.`,
    }
  },
}
