/** The texts in Ukrainian. */
import type { MailTexts } from '../../../core/message.ts'
import { nameInMail } from '../../../lib/mail-name.ts'
import type { Config } from '../../index.ts'
import type { Mails } from '../texts.ts'

const offersEmailCodes = ({ twoFactor }: Config): boolean => twoFactor.otpOptions.channels.includes('email')

export const mails: MailTexts<Mails> = {
  'organization-invitation': ({ organization, inviter, role, email, url }, { appName, config, duration }) => {
    const [to, from] = [nameInMail(organization.name), nameInMail(inviter.user.name) || 'Учасник']
    const time = duration(config.organization.invitationExpiresIn)
    // An application for one organization has its name.
    const where = to === appName ? ` до «${to}»` : ` до організації «${to}» (${appName})`
    return {
      subject: `${from} запрошує вас до «${to}»`,
      preheader: `Прийміть запрошення. Термін його дії: ${time}.`,
      heading: `Запрошення до «${to}»`,
      paragraphs: [
        `${from} запрошує вас${where}.`,
        'Щоб прийняти запрошення, увійдіть з електронною адресою, на яку воно надійшло, або створіть із нею обліковий запис.',
      ],
      facts: [
        ['Електронна адреса', email],
        ['Ваша роль', nameInMail(role.replaceAll(',', ', '))],
      ],
      ...(url !== null && { action: { label: 'Відкрити запрошення', url } }),
      footnote: `Термін дії запрошення: ${time}. Якщо ви його не очікували, не зважайте на цей лист.`,
    }
  },
  'organization-two-factor': ({ organization, required }, { appName, config, button }) => {
    const name = nameInMail(organization.name)
    const why = required
      ? `Організація «${name}» вимагає, щоб учасники захищали свої облікові записи другим фактором. Без нього ви втратите доступ до цієї організації, але не до свого облікового запису.`
      : `Організація «${name}» просить учасників захистити свої облікові записи другим фактором.`
    return {
      subject: `Налаштуйте другий фактор для організації «${name}»`,
      preheader: `Застосунок для автентифікації або ключ доступу захистить ваш обліковий запис ${appName}.`,
      heading: 'Захистіть обліковий запис другим фактором',
      paragraphs: [
        why,
        'Налаштування застосунку для автентифікації або ключа доступу триває близько двох хвилин.',
        ...(offersEmailCodes(config) ? ['Кодів електронною поштою недостатньо.'] : []),
      ],
      ...button('/account/security', 'Налаштувати другий фактор'),
      footnote: `Ви отримали цей лист, бо належите до організації «${name}» (${appName}).`,
    }
  },
}
