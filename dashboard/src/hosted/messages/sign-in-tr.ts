import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './sign-in-en.ts'

export const messages: Translation<typeof english> = {
  signIn: 'Oturum aç',
  signInLead: ({ appName }) => `${appName} hesabınıza devam edin.`,
  noAccountYet: 'Henüz hesabınız yok mu?',
  createAccount: 'Hesap oluştur',
  accountCreated: 'Hesabınız hazır. Devam etmek için oturum açın.',
  signedInAs: 'Oturumunuz açık',
  signedInLead: ({ email }) => `${email} hesabıyla oturumunuz açık.`,
  continueAs: ({ name }) => `${name} olarak devam et`,
  continueAsWith: ({ name, how }) => `${name} olarak ${how} devam et`,
  notAnn: ({ name }) => `${name} değil misiniz? Başka bir hesap kullanın`,
  email: 'E-posta',
  emailOrUsername: 'E-posta veya kullanıcı adı',
  emailOrPhone: 'E-posta veya telefon numarası',
  emailUsernameOrPhone: 'E-posta, kullanıcı adı veya telefon',
  phoneNumber: 'Telefon numarası',
  continue: 'Devam et',
  change: 'Değiştir',
  anotherWay: 'Başka bir yöntem',
  useAnotherAccount: 'Başka bir hesap kullan',
  addAccount: 'Başka bir hesap ekle',
  stayLead: ({ email }) => `${email} hesabındaki oturumunuz açık kalır.`,
  backToAccount: 'Hesabınıza dönün',
  noMethod: 'Bu sitede etkin bir oturum açma yöntemi yok.',
}
