import { unbroken } from '../../i18n/format.ts'
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './recovery-en.ts'

export const messages: Translation<typeof english> = {
  timeLeft: ({ time }) => `Oturum açmak için kalan süre: ${time}.`,
  lostFactors: 'İkinci faktörümü kaybettim',
  recover: 'Kayıp ikinci faktör',
  recoverLead: 'Bunlardan biri hâlâ elinizdeyse onu kullanın. O zaman ikinci faktörleriniz olduğu gibi kalır.',
  noneOfThese: 'Bunların hiçbiri yok',
  resetText: ({ hours }, { plural }) =>
    `Tüm ikinci faktörlerinizi kaldırtabilirsiniz. Bu işlem ${hours % 24 === 0 ? plural(hours / 24, { one: '# gün', other: '# gün' }) : plural(hours, { one: '# saat', other: '# saat' })} sürer; böylece bunu başka biri istediyse iptal edebilirsiniz.`,
  toEmail: ({ to }) => `${unbroken(to)} adresine e-postayla bir kod göndeririz.`,
  toBoth: ({ to, number }) =>
    `${unbroken(to)} adresine e-postayla, ${unbroken(number)} numarasına da SMS ile bir kod göndeririz. İkisi de gereklidir.`,
  toPhone: ({ to }) => `${unbroken(to)} numarasına SMS ile bir kod göndeririz.`,
  sendCodes: 'Kodları gönder',
  newCodesIn: ({ time }) => `Yeni kodlar (${time})`,
  sendNewCodes: 'Yeni kodlar gönder',
  emailCode: 'E-postadaki kod',
  smsCode: 'SMS’teki kod',
  requestReset: 'Sıfırlama iste',
  notPossible: 'İkinci faktörlerinizi yalnızca bir yönetici sıfırlayabilir.',
  askAdministrators: 'Kuruluşunuzun bir yöneticisinden isteyebilirsiniz:',
  waiting: ({ time }) => `Bekleyen bir sıfırlama var. Geçerli olacağı zaman: ${time}.`,
  requested: 'Sıfırlama istendi',
  requestedLead: ({ time }) =>
    `İkinci faktörlerinizin kaldırılacağı zaman: ${time}. Ardından oturum açın ve yenilerini ayarlayın.`,
  requestedText:
    'Bununla ilgili size e-posta göndeririz. İkinci faktörle oturum açmak sıfırlamayı iptal eder; e-postalardaki bağlantı da aynı işi görür.',
  toSignIn: 'Oturum açma sayfasına dön',
  cancelQuestion: 'Sıfırlama iptal edilsin mi?',
  cancelLead: 'O zaman ikinci faktörleriniz olduğu gibi kalır.',
  cancelReset: 'Sıfırlamayı iptal et',
  cancelled: 'Sıfırlama iptal edildi',
  cancelledLead:
    'İkinci faktörleriniz olduğu gibi kalır. Sıfırlamayı siz istemediyseniz parolanızı değiştirin: Parolanızı başka biri biliyor.',
  changePassword: 'Parolayı değiştir',
  linkFailed: 'Bu bağlantı çalışmıyor',
  linkFailedLead: 'Sıfırlama daha önce iptal edilmiş veya tamamlanmış.',
}
