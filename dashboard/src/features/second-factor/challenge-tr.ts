import { unbroken } from '../../i18n/format.ts'
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './challenge-en.ts'

export const messages: Translation<typeof english> = {
  security: 'Güvenlik',
  title: 'İkinci faktör',
  totpLead: 'Kimlik doğrulama uygulamanızın gösterdiği kodu girin.',
  smsLead: ({ to }) => `${unbroken(to)} numarasına SMS ile bir kod göndeririz.`,
  emailLead: ({ to }) => `${unbroken(to)} adresine e-postayla bir kod göndeririz.`,
  smsSent: ({ to }) => `${unbroken(to)} numarasına SMS ile bir kod gönderdik.`,
  emailSent: ({ to }) => `${unbroken(to)} adresine e-postayla bir kod gönderdik.`,
  backupLead: 'Yedek kodlarınızdan birini girin. Her kod bir kez kullanılabilir.',
  code: 'Kod',
  clockHint: 'Kodlar saate bağlıdır: Telefonunuzun saati otomatik ayarlamasına izin verin.',
  backupCode: 'Yedek kod',
  backupHint: ({ count }, { plural }) => plural(count, { one: '# yedek kodunuz kaldı.', other: '# yedek kodunuz kaldı.' }),
  trust: ({ count }, { plural }) => plural(count, { one: 'Bu tarayıcıya # gün güven', other: 'Bu tarayıcıya # gün güven' }),
  signIn: 'Oturum aç',
  confirm: 'Onayla',
  sendCode: 'Kod gönder',
  sendNewCode: 'Yeni kod gönder',
  newCodeIn: ({ time }) => `Yeni kod (${time})`,
  newCodeSent: 'Yeni bir kod gönderildi.',
  anotherWay: 'Başka bir yöntem',
  totpWay: 'Kimlik doğrulama uygulamanızın kodu',
  smsWay: ({ to }) => `${unbroken(to)} numarasına SMS kodu`,
  emailWay: ({ to }) => `${unbroken(to)} adresine e-posta kodu`,
  backupWay: ({ count }, { plural }) => plural(count, { one: 'Yedek kod (# kaldı)', other: 'Yedek kodlar (# kaldı)' }),
  noWay: 'İkinci faktörlerinizden hiçbiri şu anda kullanılamıyor. Başka bir yolla oturum açın veya yardım isteyin.',
  cancel: 'Oturum açmaktan vazgeç',
  startAgain: 'Baştan başla',
  tooNew: ({ time }) => `Bu ikinci faktörü kısa süre önce eklediniz. Başka birini kullanın veya şu zamanı bekleyin: ${time}.`,
}
