/** The texts in Russian. */
import type { MailTexts } from '../../../core/message.ts'
import { nameInMail } from '../../../lib/mail-name.ts'
import type { Config } from '../../index.ts'
import type { Mails } from '../texts.ts'

const offersEmailCodes = ({ twoFactor }: Config): boolean => twoFactor.otpOptions.channels.includes('email')

export const mails: MailTexts<Mails> = {
  'organization-invitation': ({ organization, inviter, role, email, url }, { appName, config, duration }) => {
    const [to, from] = [nameInMail(organization.name), nameInMail(inviter.user.name) || 'Участник']
    const time = duration(config.organization.invitationExpiresIn)
    // An application for one organization has its name.
    const where = to === appName ? `в «${to}»` : `в организацию «${to}» (${appName})`
    return {
      subject: `${from} приглашает вас в «${to}»`,
      preheader: `Примите приглашение. Срок его действия: ${time}.`,
      heading: `Приглашение в «${to}»`,
      paragraphs: [
        `${from} приглашает вас ${where}.`,
        'Чтобы принять приглашение, войдите с адресом электронной почты, на который оно пришло, или создайте с ним аккаунт.',
      ],
      facts: [
        ['Адрес электронной почты', email],
        ['Ваша роль', nameInMail(role.replaceAll(',', ', '))],
      ],
      ...(url !== null && { action: { label: 'Открыть приглашение', url } }),
      footnote: `Срок действия приглашения: ${time}. Если вы его не ждали, не обращайте внимания на это письмо.`,
    }
  },
  'organization-two-factor': ({ organization, required }, { appName, config, button }) => {
    const name = nameInMail(organization.name)
    const why = required
      ? `Организация «${name}» требует, чтобы участники защищали свои аккаунты вторым фактором. Без него вы потеряете доступ к этой организации, но не к своему аккаунту.`
      : `Организация «${name}» просит участников защитить свои аккаунты вторым фактором.`
    return {
      subject: `Настройте второй фактор для организации «${name}»`,
      preheader: `Приложение-аутентификатор или ключ доступа защитит ваш аккаунт ${appName}.`,
      heading: 'Защитите аккаунт вторым фактором',
      paragraphs: [
        why,
        'Настройка приложения-аутентификатора или ключа доступа занимает около двух минут.',
        ...(offersEmailCodes(config) ? ['Кодов по электронной почте недостаточно.'] : []),
      ],
      ...button('/account/security', 'Настроить второй фактор'),
      footnote: `Вы получили это письмо, потому что состоите в организации «${name}» (${appName}).`,
    }
  },
}
