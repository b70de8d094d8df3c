import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './passkey-sign-up-en.ts'

export const messages: Translation<typeof english> = {
  title: 'Geçiş anahtarıyla hesap oluştur',
  lead: 'Parola gerekmez: Parmak izinizle, yüzünüzle veya cihazınızın PIN’iyle oturum açarsınız.',
  name: 'Ad',
  email: 'E-posta',
  continue: 'Devam et',
  usePassword: 'Bunun yerine parola kullan',
  alreadyHaveAccount: 'Zaten hesabınız var mı?',
  signIn: 'Oturum aç',
  codeTitle: 'E-postanıza bakın',
  codeSent: ({ email }) => `${email} adresine bir e-posta gönderdik. İçindeki kodu buraya girin.`,
  code: 'Kod',
  sendAgain: 'Yeniden gönder',
  sendAgainIn: ({ time }) => `Yeniden gönder (${time})`,
  sentAgain: 'Yenisini gönderdik. Önceki artık geçerli değil.',
  wrongAddress: 'Adres yanlış mı? Değiştirin',
  createTitle: 'Geçiş anahtarınızı oluşturun',
  createLead: ({ email }) =>
    `${email} adresi doğrulandı. Son adımda hesabınız oluşturulur: Cihazınız parmak izinizi, yüzünüzü veya PIN’ini ister.`,
  create: 'Geçiş anahtarı oluştur',
  notHere: 'Bu tarayıcı geçiş anahtarı oluşturamıyor. Başka bir tarayıcı kullanın veya JavaScript’i açın.',
  cancelled: 'Geçiş anahtarı oluşturulmadı. Yeniden deneyin.',
  notPossible: 'Geçiş anahtarı burada oluşturulamadı. Başka bir tarayıcı veya cihaz deneyin.',
}
