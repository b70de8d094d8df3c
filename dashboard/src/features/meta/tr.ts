import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  somethingWentWrong: 'Bir sorun oluştu',
  lastStepFailed: 'Son adım tamamlanamadı. Geri dönüp yeniden deneyin. Yine olmazsa bu sitenin işletmecisiyle iletişime geçin.',
  errorCode: 'Hata kodu',
  requestId: 'İstek kimliği',
  returnToApplication: 'Uygulamaya dön',
  emailChange: 'E-posta adresi değişikliği',
  emailChanged: 'E-posta adresiniz değiştirildi',
  emailChangedTo: ({ email }) => `Artık ${email} adresiyle oturum açıyorsunuz.`,
  emailChangedLead: 'Bundan sonra yeni e-posta adresinizle oturum açın.',
  confirmNew: 'Bir adım daha: ikinci e-postayı açın',
  confirmNewLead:
    'Değişikliği onayladınız. Yeni adresinize bir e-posta daha gönderdik. Tamamlamak için içindeki bağlantıyı açın.',
  verifyNewLead: ({ email }) => `${email} adresine bir e-posta gönderdik. Adresi doğrulamak için içindeki bağlantıyı açın.`,
  emailNotChanged: 'E-posta adresiniz değiştirilmedi',
  unauthorized: 'Bağlantıyı, e-posta adresi değişen hesapta oturumunuzun açık olduğu bir tarayıcıda açın.',
  changeAgain: 'Değişikliği hesabınızda yeniden isteyebilirsiniz.',
  accountDeletion: 'Hesap silme',
  accountDeleted: 'Hesabınız silindi',
  accountDeletedLead: ({ appName }) => `${appName} hesabınız ve verileri silindi, tüm cihazlarda oturumunuz kapatıldı.`,
  signedOut: 'Oturumunuz kapatıldı',
  signedOutLead: ({ appName }) => `Bu tarayıcıda artık açık bir ${appName} oturumunuz yok.`,
}
