import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './admission-en.ts'

export const messages: Translation<typeof english> = {
  invitationOpened: 'Davetiniz hazır. Kabul etmek için hesabınızı oluşturun.',
  needsInvitation: 'Hesap oluşturmak için davet gerekir. Önce davet bağlantınızı açın.',
  needsInvitationOrAddress:
    'Hesap oluşturmak için davet gerekir. Önce davet bağlantınızı açın veya davet edilen e-posta adresini kullanın.',
  needsApproval: 'Başvurunuz onaylandığında hesap oluşturabilirsiniz.',
  notYet: 'Bu e-posta adresiyle henüz hesap oluşturulamıyor. Bekleme listesine katılın, size yazalım.',
  joinWaitingList: 'Bekleme listesine katıl',
}
