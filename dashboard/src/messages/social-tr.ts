import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './social-en.ts'

export const messages: Translation<typeof english> = {
  continueWith: ({ provider }) => `${provider} ile devam et`,
  withProvider: ({ provider }) => `${provider} ile`,
  or: 'veya',
  notSignedIn: 'Oturumunuz açılmadı',
  notSignedInWith: ({ provider }) => `${provider} ile oturumunuz açılmadı`,
  accountNotLinked: ({ provider }) =>
    `Bu e-posta adresiyle zaten bir hesap var. Daha önceki yolla oturum açın, sonra “Parola ve oturum açma” altında ${provider} hesabınızı bağlayın. E-posta adresiniz ${provider} tarafından doğrulanmış olmalıdır.`,
  noAccountYet: 'Bu oturum açma için henüz bir hesap yok. Önce bir hesap oluşturun.',
  createAccount: 'Hesap oluştur',
  finishInOtherWindow: 'Diğer pencerede oturum açmayı tamamlayın. Bu sayfa ardından devam eder.',
  windowBlocked: 'Tarayıcınız pencereyi engelledi. Bu site için açılır pencerelere izin verin, sonra yeniden deneyin.',
  anotherUser: ({ email, own }) => `${email} hesabıyla oturum açtınız. Bu sayfada devam etmek için ${own} hesabıyla oturum açın.`,
}
