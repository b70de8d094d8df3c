/** The error page, on which failed redirects end. Its parameters come from anywhere: only codes of the catalogue are shown. */
import { Content, Support } from '../../hosted/layout.tsx'
import { ButtonLink, ExternalButton } from '../../hosted/link.tsx'
import { Copyable } from '../../hosted/note.tsx'
import { hostedPage, useErrorParameter, useParameter } from '../../hosted/page.ts'
import { useFailureText } from '../../hosted/texts.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { messages } from './messages.ts'

/** Codes after which signing in again changes nothing. */
const final = new Set(['banned', 'unauthorized'])

export const error = hostedPage({
  path: '/error',
  messages,
  title: 'somethingWentWrong',
  access: 'anyone',
  View: ErrorPage,
})

function ErrorPage() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const texts = useFailureText()
  const given = useErrorParameter() ?? 'UNKNOWN_ERROR'
  const sentence = texts.redirect(given)
  const code = sentence === null ? 'UNKNOWN_ERROR' : given
  const requestId = /^[\w-]{1,64}$/.exec(useParameter('requestId') ?? '')?.[0]
  const canRetry = texts.isRedirect(given) && !final.has(given)
  return (
    <Content title={t('somethingWentWrong')} lead={sentence ?? t('lastStepFailed')}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1 text-13">
        <dt className="text-muted">{t('errorCode')}</dt>
        <dd className="font-mono text-12 wrap-anywhere">{code}</dd>
        {requestId === undefined ? null : (
          <>
            <dt className="text-muted">{t('requestId')}</dt>
            <dd className="-ms-1 font-mono text-12">
              <Copyable text={requestId} label={frame('copyRequestId')} />
            </dd>
          </>
        )}
      </dl>
      <div className="grid gap-3">
        {canRetry ? (
          <ButtonLink to="/sign-in" variant="primary">
            {frame('goToSignIn')}
          </ButtonLink>
        ) : null}
        <ExternalButton href="/" variant={canRetry ? 'secondary' : 'primary'}>
          {t('returnToApplication')}
        </ExternalButton>
      </div>
      <Support />
    </Content>
  )
}
