/** The error page, on which failed redirects end. Its parameters come from anywhere: only what looks like a code is shown. */
import { ButtonLink, ExternalButton } from '../../components/button.tsx'
import { CopyButton } from '../../components/feedback.tsx'
import { HostedPage } from '../../frame/hosted-frame.tsx'
import { useRedirectText } from '../../frame/redirect-note.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages.ts'
import { useErrorParameter, useParameter } from '../../router-hooks.ts'
import { messages } from './index.ts'

export function Screen() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const explain = useRedirectText()
  const code = useErrorParameter() ?? 'UNKNOWN_ERROR'
  const requestId = /^[\w-]{1,64}$/.exec(useParameter('requestId') ?? '')?.[0]
  const { sentence, canRetry } = explain(code)
  return (
    <HostedPage title={t('somethingWentWrong')} lead={sentence ?? t('lastStepFailed')}>
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
      <div className="grid gap-3">
        {canRetry ? (
          <ButtonLink to="/sign-in" variant="primary" size="large">
            {frame('goToSignIn')}
          </ButtonLink>
        ) : null}
        <ExternalButton href="/" variant={canRetry ? 'secondary' : 'primary'} size="large">
          {t('returnToApplication')}
        </ExternalButton>
      </div>
    </HostedPage>
  )
}
