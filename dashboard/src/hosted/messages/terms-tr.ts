import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './terms-en.ts'

export const messages: Translation<typeof english> = {
  signUpBox: ({ documents }) => `Kabul ediyorum: ${documents}`,
  signUpSentence: ({ documents }) => `Devam ederek şunları kabul edersiniz: ${documents}`,
}
