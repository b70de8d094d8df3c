/** The export of the user's own data as a file. */
import { useMutation } from '@tanstack/react-query'
import { Download, FileJson } from 'lucide-react'
import { useErrorText } from '../../api/errors.ts'
import { saveJSON } from '../../browser/download.ts'
import { NotWhileImpersonating } from '../../components/blocked.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note, useCountdown } from '../../components/feedback.tsx'
import { Card, IconTile, PageHead, Setting } from '../../components/layout.tsx'
import { showToast } from '../../components/toast.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { call } from '../../session/session.ts'
import { messages } from './index.ts'

/** A link to the API would save its errors as a file too, and could not ask for the password. */
const downloadData = async () => saveJSON('data-export.json', await call('GET /export-data', {}))

export function Screen() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { format } = useLocale()
  const errorText = useErrorText()
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: downloadData,
    onSuccess: () => showToast(t('downloaded')),
  })
  const wait = useCountdown(error, error ? errorText(error).retryAfter : undefined)
  return (
    <>
      <PageHead title={t('exportTitle')}>{t('exportLead')}</PageHead>
      <NotWhileImpersonating>
        <Setting title={t('file')} description={t('contains')}>
          <Card className="grid grid-cols-1 gap-4 px-4 py-5 card:px-5">
            <div className="flex items-center gap-3">
              <IconTile>
                <FileJson className="size-4" />
              </IconTile>
              <p className="min-w-0 text-13">{t('safety')}</p>
            </div>
            {error ? <ErrorNote error={error} /> : null}
            {isSuccess ? (
              <Note tone="success" isLive>
                {t('downloaded')}
              </Note>
            ) : null}
            <div>
              <Button variant="primary" isBusy={isPending} disabled={wait > 0} onClick={() => mutate()}>
                <Download aria-hidden className="size-4" />
                {wait > 0 ? frame('tryAgainIn', { time: format.duration(wait) }) : t('download')}
              </Button>
            </div>
          </Card>
        </Setting>
      </NotWhileImpersonating>
    </>
  )
}
