/** The texts in Turkish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'api-key-created': ({ start }, { appName, button }) => ({
    subject: `${appName} hesabınız için bir API anahtarı oluşturuldu`,
    preheader: 'Anahtara sahip programlar sizin adınıza işlem yapar. Onu siz oluşturmadıysanız silin.',
    heading: 'Bir API anahtarı oluşturuldu',
    paragraphs: [`${appName} hesabınız için bir API anahtarı oluşturuldu. Anahtara sahip programlar sizin adınıza işlem yapar.`],
    ...(start !== null && { facts: [['Anahtarın başı', start]] as const }),
    ...button('/account/api-keys', 'API anahtarlarınızı gözden geçirin'),
    footnote:
      'Bunu yapan sizseniz bir şey yapmanız gerekmez. Siz değilseniz anahtarı silin ve parolanızı değiştirin: Başka biri hesabınıza erişiyor.',
  }),
}
