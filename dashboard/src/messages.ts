/** The texts of the frame and of the components, which every page has. */
import { catalogue, type Translate, useMessages } from './i18n/messages.ts'
import type { messages as english } from './messages/en.ts'

export const frameMessages = catalogue<typeof english>({
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
})
export const useFrameMessages = (): Translate<typeof english> => useMessages(frameMessages)
