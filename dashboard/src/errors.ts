/** What the pages say about a failed call. */
import { ClientError, isOffline } from './api.ts'
import { catalogue, type Translate, useMessages } from './i18n/messages.ts'
import type { messages as english } from './messages/errors-en.ts'

const errorMessages = catalogue<typeof english>({
  en: () => import('./messages/errors-en.ts'),
  de: () => import('./messages/errors-de.ts'),
})
export const loadErrorMessages = errorMessages.load

export interface ErrorText {
  /** Of the error catalogue of the API; `OFFLINE` without a response. */
  readonly code: string
  readonly sentence: string
  readonly requestId: string | undefined
  /** Seconds until another attempt is allowed. */
  readonly retryAfter: number | undefined
}

/** The sentence for a code in the language of the pages; for codes that they do not know, that of the API. */
export function useErrorText(): (error: unknown) => ErrorText {
  const t = useMessages(errorMessages)
  return (error) => {
    if (error instanceof ClientError) {
      const { code, requestId, retryAfter } = error
      return { code, sentence: sentenceOf(t, code) ?? error.message, requestId, retryAfter }
    }
    const code = isOffline(error) ? 'OFFLINE' : 'UNEXPECTED'
    return { code, sentence: t(code), requestId: undefined, retryAfter: undefined }
  }
}

/** @returns null for an unknown code */
const sentenceOf = (t: Translate<typeof english>, code: string): string | null => {
  try {
    return t(code as keyof typeof english)
  } catch {
    return null
  }
}

/** The sentence for the code of a redirect or a field, if the pages know it. */
export function useCodeText(): (code: string) => string | null {
  const t = useMessages(errorMessages)
  return (code) => sentenceOf(t, code)
}
