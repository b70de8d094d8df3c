/** The sentence for the code with which a redirect ended. */
import type { ReactNode } from 'react'
import { useCodeText } from '../api/errors.ts'
import { Note } from '../components/feedback.tsx'
import { useMessages } from '../i18n/messages.ts'
import { redirectMessages } from '../messages/index.ts'

/** Null for an unknown code. Needs the messages of redirects. */
function useRedirectText(): (code: string) => string | null {
  const t = useMessages(redirectMessages)
  const codeText = useCodeText()
  return (code) => {
    try {
      return t(code as Parameters<typeof t>[0])
    } catch {
      return codeText(code) ?? codeText(code.toUpperCase())
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
      <p>{sentence ?? explain(code) ?? codeText('UNKNOWN')}</p>
      {children}
      <p className="mt-1 font-mono text-12">{code}</p>
    </Note>
  )
}
