import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './rehearsal-en.ts'

export const messages: Translation<typeof english> = {
  isDue: 'Avez-vous encore vos codes de secours\u202f?',
  isDueText:
    'Vérifiez-le dès maintenant, et non le jour où vous en aurez besoin. Saisissez-en un\u202f; vous en recevez un nouveau en échange.',
  tryCode: 'Essayer un code de secours',
  verify: 'Vérifier',
  isRight: 'Le code est correct',
  replacement: 'Remplacez le code que vous avez saisi par celui-ci. Il ne sera plus affiché.',
  lost: 'Si vous les avez perdus, créez de nouveaux codes ci-dessous.',
  tried: 'Vous avez essayé un code de secours, et en avez reçu un nouveau en échange.',
}
