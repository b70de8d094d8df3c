/** The error page, on which failed redirects end. Its parameters come from anywhere: only what looks like a code is shown. */

import { ExternalButton } from '../../components/button.tsx'
import { CopyButton } from '../../components/feedback.tsx'
import { useCodeText } from '../../errors.ts'
import { HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages.ts'
import { useErrorParameter, useParameter } from '../../router-hooks.ts'
import { messages, redirects } from './index.ts'

function useSentence(): (code: string) => string | null {
  const t = useMessages(redirects)
  const codeText = useCodeText()
  return (code) => {
    try {
      return t(code as Parameters<typeof t>[0])
    } catch {
      return codeText(code) ?? codeText(code.toUpperCase())
    }
  }
}

export function Screen() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const sentence = useSentence()
  const code = useErrorParameter() ?? 'UNKNOWN_ERROR'
  const requestId = /^[\w-]{1,64}$/.exec(useParameter('requestId') ?? '')?.[0]
  const known = sentence(code)
  return (
    <HostedPage title={t('somethingWentWrong')} lead={known ?? t('lastStepFailed')}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1 text-13">
        <dt className="text-muted">{t('errorCode')}</dt>
        <dd className="font-mono text-12 wrap-anywhere">{code}</dd>
        {requestId === undefined ? null : (
          <>
            <dt className="text-muted">{t('requestId')}</dt>
            <dd className="-ms-1 font-mono text-12">
              <CopyButton text={requestId} label={frame('copyRequestId')} isVisible />
            </dd>
          </>
        )}
      </dl>
      <ExternalButton href="/" variant="primary" size="large">
        {t('returnToApplication')}
      </ExternalButton>
    </HostedPage>
  )
}
