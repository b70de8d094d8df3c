import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './terms-en.ts'

export const messages: Translation<typeof english> = {
  signUpBox: ({ documents }) => `Ich akzeptiere: ${documents}`,
  signUpSentence: ({ documents }) => [
    `Indem Sie fortfahren, akzeptieren Sie: ${documents}`,
    `Indem du fortfährst, akzeptierst du: ${documents}`,
  ],
}
