/** The texts in Turkish. */
import type { MailTexts } from '../../../core/message.ts'
import { nameInMail } from '../../../lib/mail-name.ts'
import type { Config } from '../../index.ts'
import type { Mails } from '../texts.ts'

const offersEmailCodes = ({ twoFactor }: Config): boolean => twoFactor.otpOptions.channels.includes('email')

export const mails: MailTexts<Mails> = {
  'organization-invitation': ({ organization, inviter, role, email, url }, { appName, config, duration }) => {
    const [to, from] = [nameInMail(organization.name), nameInMail(inviter.user.name) || 'Bir üye']
    // An application for one organization has its name.
    const where = to === appName ? `${to} kuruluşuna` : `${appName} üzerindeki ${to} kuruluşuna`
    return {
      subject: `${from} sizi ${to} kuruluşuna davet etti`,
      preheader: `Davetin süresi ${duration(config.organization.invitationExpiresIn)} sonra dolar.`,
      heading: `${to} kuruluşuna katılın`,
      paragraphs: [
        `${from} sizi ${where} davet etti.`,
        'Kabul etmek için davetin gönderildiği e-posta adresiyle oturum açın veya bu adresle bir hesap oluşturun.',
      ],
      facts: [
        ['E-posta adresi', email],
        ['Rolünüz', nameInMail(role.replaceAll(',', ', '))],
      ],
      ...(url !== null && { action: { label: 'Daveti görüntüle', url } }),
      footnote: `Bu davetin süresi ${duration(config.organization.invitationExpiresIn)} sonra dolar. Bunu beklemiyorsanız bu e-postayı yok sayabilirsiniz.`,
    }
  },
  'organization-two-factor': ({ organization, required }, { appName, config, button }) => {
    const name = nameInMail(organization.name)
    const why = required
      ? `${name} kuruluşu, üyelerinin hesaplarını ikinci faktörle korumasını zorunlu tutuyor. İkinci faktörünüz yoksa ${name} kuruluşuna erişiminizi kaybedersiniz; hesabınız açık kalır.`
      : `${name} kuruluşu, üyelerinden hesaplarını ikinci faktörle korumalarını istiyor.`
    return {
      subject: `${name} için ikinci faktör ayarlayın`,
      preheader: `Kimlik doğrulama uygulaması veya geçiş anahtarı ${appName} hesabınızı korur.`,
      heading: 'Hesabınızı ikinci faktörle koruyun',
      paragraphs: [
        why,
        'Kimlik doğrulama uygulamasını veya geçiş anahtarını ayarlamak yaklaşık iki dakika sürer.',
        ...(offersEmailCodes(config) ? ['E-posta kodları yeterli değil.'] : []),
      ],
      ...button('/account/security', 'İkinci faktör ayarla'),
      footnote: `Bu e-postayı, ${appName} üzerindeki ${name} kuruluşunun üyesi olduğunuz için alıyorsunuz.`,
    }
  },
}
