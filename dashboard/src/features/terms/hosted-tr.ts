import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './hosted-en.ts'

export const messages: Translation<typeof english> = {
  title: 'Koşullar',
  acceptTitle: 'Koşulları kabul edin',
  acceptLead: ({ appName }) => `${appName} hesabınıza devam etmek için koşulları okuyun ve kabul edin.`,
  changedTitle: 'Koşullarımız değişti',
  changedLead: ({ appName }) => `${appName} hesabınıza devam etmek için yenilikleri okuyun ve kabul edin.`,
  version: ({ version }) => `Sürüm ${version}`,
  replaces: ({ version, former }) => `Sürüm ${version}. Daha önce kabul ettiğiniz sürüm: ${former}.`,
  whatIsNew: 'Yenilikler:',
  read: ({ title }) => `“${title}” belgesini yeni sekmede oku`,
  accept: 'Kabul et ve devam et',
  notNow: 'Şimdi değil',
  postponeUntil: ({ date }) => `Bunu en geç ${date} tarihine kadar erteleyebilirsiniz.`,
  decline: 'Reddet',
  cancel: 'Oturum açmayı iptal et',
  declined: 'Koşulları reddettiniz',
  declinedLead: 'Koşulları kabul etmeden oturum açamazsınız. Verilerinizi indirebilir ve hesabınızı silebilirsiniz.',
  exportTitle: 'Verileriniz',
  exportText: 'Hakkınızda saklanan her şeyi içeren tek bir JSON dosyası.',
  exportData: 'Verileri indir',
  deleteTitle: 'Hesabınız',
  deleteText: ({ email }) => `${email} hesabı ve tüm verileri silinecek. Bu işlem geri alınamaz.`,
  deleteAccount: 'Hesabı sil',
  sendLink: 'Silme bağlantısı gönder',
  sendLinkText: ({ email }) =>
    `${email} adresine bir bağlantı göndeririz. Bu oturum açma beklemedeyken bağlantıyı bu tarayıcıda açın.`,
  linkSent: ({ email }) => `${email} adresine bir bağlantı gönderdik. Siz bağlantıyı açıp onaylamadan hesabınız silinmez.`,
  back: 'Koşullara dön',
  signIn: 'Oturum aç',
  linkFailed: 'Bu bağlantıyla hesabınız silinemez',
  linkFailedLead:
    'Bağlantı daha önce kullanılmış veya süresi dolmuş ya da oturum açma artık beklemede değil. Oturum açıp yeni bir bağlantı isteyin.',
  confirmDeletion: 'Hesabınız silinsin mi?',
}
