import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  lockAccount: 'Hesabımı kilitle',
  question: 'Hesabınız kilitlensin mi?',
  lead: ({ email }) =>
    `Bağlantıyı ${email} adresine gönderdik. O e-postadaki oturum açma veya değişiklik size ait değilse hesabınızı şimdi kilitleyin.`,
  textLead: 'Bağlantıyı SMS ile gönderdik. O mesajdaki değişiklik size ait değilse hesabınızı şimdi kilitleyin.',
  ends: 'Bunlar hemen sona erer:',
  sessions: ({ sessions }, { plural }) => plural(sessions, { one: '# cihazdaki oturum', other: '# cihazdaki oturumlar' }),
  apiKeys: ({ apiKeys }, { plural }) => plural(apiKeys, { one: '# API anahtarı', other: '# API anahtarı' }),
  linksAndCodes: ({ linksAndCodes }, { plural }) =>
    plural(linksAndCodes, { one: '# bekleyen bağlantı veya kod', other: '# bekleyen bağlantı ve kod' }),
  linkedAccounts: ({ linkedAccounts }, { plural }) =>
    plural(linkedAccounts, { one: '# bağlı hesap için saklanan erişim', other: '# bağlı hesap için saklanan erişim' }),
  trustedBrowsers: ({ trustedBrowsers }, { plural }) =>
    plural(trustedBrowsers, { one: '# güvenilen tarayıcı', other: '# güvenilen tarayıcı' }),
  everySignIn: 'Hesabın kilidi açılana kadar, yöntemi ne olursa olsun tüm oturum açmalar',
  opensByReset: 'Ardından hesabınızın kilidini yeni bir parolayla açarsınız.',
  opensBySupport:
    'Hesabın e-posta adresi değişti veya hesap daha önce de kilitlendi. Bu yüzden kilidi yalnızca destek ekibimiz, hesabın size ait olduğundan emin olduktan sonra açabilir.',
  textOpens: 'Bundan sonra kilidi yalnızca destek ekibimiz, hesabın size ait olduğundan emin olduktan sonra açabilir.',
  isLocked: 'Hesap zaten kilitli. Bu bağlantıyla yeniden kilitleyebilirsiniz.',
  wasMe: 'Ben yaptım: hiçbir şey yapma',
  locked: 'Hesabınız kilitli',
  lockedLead: 'Tüm cihazlarda oturum kapatıldı ve bu hesapta kimse oturum açamaz.',
  nextReset: 'Şimdi yeni bir parola seçin. Böylece hesabınızın kilidi açılır.',
  nextSupport:
    'Kilidi yalnızca destek ekibimiz açabilir. Ekiple iletişime geçip hesabınızda başka birinin değişiklik yaptığını bildirin.',
  resetPassword: 'Parolayı sıfırla',
  contactSupport: 'Destek ekibiyle iletişime geç',
  linkFailed: 'Bu bağlantı çalışmıyor',
  linkFailedLead:
    'Süresi doldu veya daha önce kullanıldı. Hesabınıza başka birinin erişimi varsa parolanızı sıfırlayın veya destek ekibiyle iletişime geçin.',
}
