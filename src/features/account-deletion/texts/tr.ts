/** The texts in Turkish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'delete-account': ({ url }, { appName, config, duration }) => ({
    subject: `${appName} hesabınızın silinmesini onaylayın`,
    preheader: 'Hesabınızın tüm verileri silinecek. Bu işlem geri alınamaz.',
    heading: 'Hesabınızı silin',
    paragraphs: [
      `${appName} hesabınızı silmek için bir istek aldık.`,
      'Hesabınız ve tüm verileri silinecek. Bu işlem geri alınamaz.',
    ],
    action: { label: 'Hesabı sil', url },
    footnote: `Bu bağlantı bir kez çalışır ve süresi ${duration(config.user.deleteUser.deleteTokenExpiresIn)} sonra dolar. Bağlantıyı oturumunuzun açık olduğu bir tarayıcıda açın. Bunu siz istemediyseniz parolanızı değiştirin: Başka biri hesabınıza erişiyor olabilir.`,
  }),
}
