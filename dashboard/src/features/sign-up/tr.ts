import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  invite: 'Davet bağlantısı',
  inviteTitle: ({ appName }) => `${appName} için bir davetiniz var`,
  inviteLead: 'Daveti kabul etmek için hesabınızı oluşturun.',
  inviteToOrganization: ({ organization }) => `${organization} kuruluşuna katılmaya davetlisiniz`,
  createAccount: 'Hesap oluştur',
  haveAccount: 'Zaten hesabınız var mı?',
  signIn: 'Oturum aç',
  joinLead: ({ organization, email }) => `${email} hesabıyla oturumunuz açık. ${organization} kuruluşunun üyesi olacaksınız.`,
  join: ({ organization }) => `${organization} kuruluşuna katıl`,
  alreadySignedIn: ({ email }) => `${email} hesabıyla oturumunuz açık. Bu bağlantı, hesabı olmayan kullanıcılar içindir.`,
  useAnotherAccount: 'Başka bir hesap kullan',
  unusable: 'Bu davet bağlantısı artık çalışmıyor',
  unusableLead: 'Süresi doldu, kullanım sınırına ulaştı veya iptal edildi. Yenisini isteyin.',
  waitingList: 'Bekleme listesi',
  waitingListLead: ({ appName }) => `E-posta adresinizi bırakın. ${appName} hesabınızı oluşturabileceğiniz zaman size yazacağız.`,
  email: 'E-posta adresi',
  name: 'Ad',
  joinWaitingList: 'Bekleme listesine katıl',
  onTheList: 'Teşekkürler',
  onTheListLead: ({ email }) => `Hesabınızı oluşturabileceğiniz zaman ${email} adresine yazacağız.`,
  approved: 'Başvurunuz onaylandı mı?',
}
