import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  deleteAccount: 'Hesabı sil',
  deleteLead: 'Hesabınızı silme işlemi geri alınamaz.',
  whatIsDeleted: 'Silinecekler',
  confirmation: 'Onay',
  confirmationText: 'Hesabınız yanlışlıkla silinmesin diye.',
  deletedProfile: 'Profiliniz ve oraya girdiğiniz her şey',
  deletedMethods: 'Oturum açma yöntemleriniz: Bir daha oturum açamazsınız',
  deletedSessions: 'Oturumlarınız: Tüm cihazlarda ve uygulamalarda oturum kapatılır',
  deletedOrganizations: 'Başka üyesi olmayan kuruluşlarınız',
  handOverFirst: 'Başka üyeleri olan bir kuruluşun son sahibi misiniz? Önce sahip rolünü başka bir üyeye verin.',
  organizationsLink: 'Kuruluşlarınız',
  exportFirst: 'Bir kopya saklamak ister misiniz?',
  exportLink: 'Verilerinizi dışa aktarın',
  typeEmail: ({ email }) => `Onaylamak için ${email} yazın`,
  password: 'Parolanız',
  sendLink: 'Silme bağlantısı gönder',
  sendLinkText: ({ email }) => `${email} adresine bir bağlantı göndeririz. Hesabınızı silmek için bağlantıyı açıp onaylayın.`,
  linkSent: 'E-postanıza bakın',
  linkSentText: ({ email }) => `${email} adresine bir bağlantı gönderdik. Siz bağlantıyı açıp onaylamadan hesabınız silinmez.`,
  confirmDeletion: 'Hesabınız silinsin mi?',
  confirmDeletionLead: 'Bu hesap ve tüm verileri silinecek. Bu işlem geri alınamaz.',
  keepAccount: 'Hesabı koru',
  linkFailed: 'Bu bağlantıyla hesabınız silinemez',
  linkFailedLead: ({ email }) =>
    `${email} hesabıyla oturumunuz açık. Bağlantı daha önce kullanılmış, süresi dolmuş, eksik veya başka bir hesaba ait.`,
  requestNewLink: 'Yeni bağlantı iste',
  useAnotherAccount: 'Başka bir hesap kullan',
}
