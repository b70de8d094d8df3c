import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './rehearsal-en.ts'

export const messages: Translation<typeof english> = {
  isDue: 'Yedek kodlarınız hâlâ sizde mi?',
  isDueText: 'Bunu ihtiyaç duyduğunuz gün değil, şimdi öğrenin. Kodlardan birini girin; yerine yeni bir kod alırsınız.',
  tryCode: 'Bir yedek kod dene',
  verify: 'Doğrula',
  isRight: 'Kod doğru',
  replacement: 'Girdiğiniz kodun yerine bunu saklayın. Bir daha gösterilmez.',
  lost: 'Kodlarınızı kaybettiyseniz aşağıda yeni kodlar oluşturun.',
  tried: 'Bir yedek kodu denediniz ve yerine yenisini aldınız.',
}
