/** The texts in Turkish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'account-linked': ({ provider, hasRevoked }, { appName }) => ({
    subject: `${appName} hesabınıza ${provider} bağlandı`,
    preheader: `Bir ${provider} hesabıyla artık ${appName} hesabınızda oturum açılabilir.`,
    heading: `Artık ${provider} ile oturum açabilirsiniz`,
    paragraphs: [
      `${appName} hesabınıza bir ${provider} hesabı bağlandı; artık onunla oturum açılabilir.`,
      ...(hasRevoked
        ? [
            'E-posta adresi hiç doğrulanmamıştı, bu yüzden hesabı onunla başka biri oluşturmuş olabilir. Tüm cihazlarda oturum kapatıldı, parola ve önceki diğer oturum açma yöntemleri kaldırıldı. Yeniden parolayla oturum açmak için parola sıfırlama isteyin ve yeni bir parola seçin.',
          ]
        : []),
    ],
    footnote:
      'Bunu yapan sizseniz bir şey yapmanız gerekmez. Siz değilseniz hesabınızda bağlantısını kaldırın ve parolanızı değiştirin: Başka biri hesabınıza erişiyor olabilir.',
  }),
}
