/** The kinds of emails and text messages in words, for the pages that list or count them. */
import { catalogue, useMessages } from '../i18n/messages.ts'
import type { messages as english } from './mail-kinds-en.ts'

export const mailKindMessages = catalogue<typeof english>({
  en: () => import('./mail-kinds-en.ts'),
  de: () => import('./mail-kinds-de.ts'),
})

/** @returns a function that names a kind; one that a newer server has sent keeps its own name */
export function useMailKind(): (kind: string) => string {
  const t = useMessages(mailKindMessages)
  return (kind) => {
    try {
      return t(kind as keyof typeof english)
    } catch {
      return kind
    }
  }
}
