import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './policy-en.ts'

export const messages: Translation<typeof english> = {
  policyLabel: 'Üyelerin ikinci faktörü',
  policyHint: 'İkinci faktörü olmayan üyeler oturum açabilir, ancak bu kuruluşu açamaz.',
  notRequired: 'Zorunlu değil',
  requiredNow: 'Hemen zorunlu',
  requiredAfter: ({ count }, { plural }) =>
    plural(count, { one: 'Zorunlu, ayarlamak için # gün', other: 'Zorunlu, ayarlamak için # gün' }),
  graceText: 'Her üyenin süresi, kuruluşu bir sonraki açışında başlar.',
  stopsNow: ({ count }, { plural }) =>
    plural(count, { one: '# üye erişimini hemen kaybeder.', other: '# üye erişimini hemen kaybeder.' }),
  showAdministrators: 'İkinci faktörünü kaybeden üyeler, oturum açarken yöneticilerin adlarını görür',
  savePolicy: 'İlkeyi kaydet',
  policySaved: 'İlke kaydedildi.',
  setUpOwn: 'İkinci faktör ayarla',
  withoutFactor: 'İkinci faktörü olmayan üyeler',
  everyoneHasOne: 'Her üyenin ikinci faktörü var.',
  lackOne: ({ count }, { plural }) =>
    plural(count, { one: '# üyenin ikinci faktörü yok.', other: '# üyenin ikinci faktörü yok.' }),
  andMore: ({ count }, { plural }) => plural(count, { one: 've # kişi daha', other: 've # kişi daha' }),
  sendReminders: 'Hatırlatma gönder',
  remindersText: 'E-postayla, her üyeye günde en fazla bir tane.',
  remindersSent: ({ count }, { plural }) =>
    plural(count, { one: '# üyeye hatırlatma gönderildi.', other: '# üyeye hatırlatma gönderildi.' }),
  alreadyReminded: 'Bu üyeler son 24 saat içinde bir hatırlatma aldı.',
  moreReminders: 'Daha fazla üye var. Onlara ulaşmak için yeniden gönderin.',
  stopped: ({ name }) => `${name} ikinci faktör istiyor`,
  stoppedText:
    'Hesabınızda ikinci faktör yok. Bu kuruluşu yeniden açmak için bir tane ayarlayın. Hesabınız ve diğer kuruluşlarınız açık kalır.',
  emailIsNotEnough: 'E-posta kodları yeterli değil.',
  otherOrganizations: 'Tüm kuruluşlar',
  dueSoon: ({ date }) => `Bu kuruluş ikinci faktör istiyor. Zorunluluğun başladığı tarih: ${date}.`,
}
