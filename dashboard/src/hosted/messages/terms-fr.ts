import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './terms-en.ts'

export const messages: Translation<typeof english> = {
  signUpBox: ({ documents }) => `J’accepte\u202f: ${documents}`,
  signUpSentence: ({ documents }) => `En continuant, vous acceptez\u202f: ${documents}`,
}
