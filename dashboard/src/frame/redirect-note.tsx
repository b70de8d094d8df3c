/** The sentence for the code with which a redirect ended. */
import type { ReactNode } from 'react'
import { Note } from '../components/feedback.tsx'
import { useCodeText } from '../errors.ts'
import { useMessages } from '../i18n/messages.ts'
import { redirectMessages } from '../messages.ts'

/** Codes after which signing in again changes nothing. */
const final = new Set(['banned', 'unauthorized'])

interface RedirectText {
  /** Null for an unknown code. */
  readonly sentence: string | null
  /** Whether a sign-in failed that the user can start again. */
  readonly canRetry: boolean
}

/** Needs the messages of redirects. */
export function useRedirectText(): (code: string) => RedirectText {
  const t = useMessages(redirectMessages)
  const codeText = useCodeText()
  return (code) => {
    try {
      return { sentence: t(code as Parameters<typeof t>[0]), canRetry: !final.has(code) }
    } catch {
      return { sentence: codeText(code) ?? codeText(code.toUpperCase()), canRetry: false }
    }
  }
}

interface RedirectNoteProps {
  /** As it stands in the address: it may come from anywhere. */
  readonly code: string
  /** What did not happen. */
  readonly title: string
  /** In place of the usual sentence. */
  readonly sentence?: string | undefined
  /** What the user can do next. */
  readonly children?: ReactNode
}

export function RedirectNote({ code, title, sentence, children }: RedirectNoteProps) {
  const explain = useRedirectText()
  const codeText = useCodeText()
  return (
    <Note tone="danger" title={title} isLive>
      <p>{sentence ?? explain(code).sentence ?? codeText('UNKNOWN')}</p>
      {children}
      <p className="mt-1 font-mono text-12">{code}</p>
    </Note>
  )
}
