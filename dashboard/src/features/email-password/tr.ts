import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  signIn: 'Oturum aç',
  withPassword: 'parolayla',
  signInLead: ({ appName }) => `${appName} hesabınıza devam edin.`,
  email: 'E-posta',
  emailOrUsername: 'E-posta veya kullanıcı adı',
  signUpWithPasskey: 'Geçiş anahtarıyla hesap oluştur',
  signUpByPhone: 'Telefon numarasıyla hesap oluştur',
  password: 'Parola',
  rememberMe: 'Oturumum açık kalsın',
  forgotPassword: 'Parolanızı mı unuttunuz?',
  noAccountYet: 'Henüz hesabınız yok mu?',
  createAccount: 'Hesap oluştur',
  resetWithoutWaiting: 'Beklemeden parolanızı sıfırlayın',
  signUp: 'Hesabınızı oluşturun',
  signUpLead: ({ appName }) => `${appName} kullanmak için bir hesap gerekir.`,
  name: 'Ad',
  submitSignUp: 'Hesap oluştur',
  signUpClosed: 'Kayıt kapalı',
  signUpClosedLead: ({ appName }) =>
    `Yeni ${appName} hesaplarını yöneticiler oluşturur. Bir hesaba ihtiyacınız varsa onlara başvurun.`,
  onlyInvited: 'Yalnızca davet edilen kullanıcılar hesap oluşturabilir. Davetin gönderildiği e-posta adresini kullanın.',
  alreadyHaveAccount: 'Zaten hesabınız var mı?',
}
