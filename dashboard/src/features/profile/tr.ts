import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  profile: 'Profil',
  profileLead: 'Hesabınızın kişisel verileri.',
  account: 'Hesap',
  accountText: 'Resminiz ve destek ekibinin sizi bulduğu kimlik.',
  details: 'Kişisel bilgiler',
  detailsText: 'Adınız ve bu sitenin istediği bilgiler.',
  name: 'Ad',
  created: 'Hesabın oluşturulması',
  userId: 'Kullanıcı kimliği',
  copyUserId: 'Kullanıcı kimliğini kopyala',
  changePicture: 'Resmi değiştir',
  addPicture: 'Resim ekle',
  removePicture: 'Resmi kaldır',
  cropPicture: 'Resmin bir bölümünü seçin',
  cropHint: 'Resmi sürükleyin veya kaydırıcıları kullanın.',
  cropZoom: 'Yakınlaştırma',
  cropAcross: 'Sola ve sağa',
  cropDown: 'Yukarı ve aşağı',
  usePicture: 'Resmi kullan',
  pictureHint: 'Uygulamalar resmi, adınızı görebilen herkese gösterebilir.',
  pictureSaved: 'Resminiz kaydedildi.',
  pictureRemoved: 'Resminiz kaldırıldı.',
  save: 'Profili kaydet',
  saved: 'Profiliniz kaydedildi.',
}
