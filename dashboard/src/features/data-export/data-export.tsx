/** The export of the user's own data as a file. */
import { useMutation } from '@tanstack/react-query'
import { Download, FileJson } from 'lucide-react'
import { NotWhileImpersonating } from '../../components/blocked.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note, useCountdown } from '../../components/feedback.tsx'
import { Card, IconTile, PageHead } from '../../components/layout.tsx'
import { showToast } from '../../components/toast.tsx'
import { saveJSON } from '../../download.ts'
import { useErrorText } from '../../errors.ts'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages.ts'
import { call } from '../../session.ts'
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
        <Card className="grid max-w-160 grid-cols-1 gap-4 px-4 py-5 card:px-5">
          <div className="flex gap-3">
            <IconTile>
              <FileJson className="size-4" />
            </IconTile>
            <div className="min-w-0">
              <h2 className="text-14">{t('file')}</h2>
              <p className="text-13 text-muted">{t('contains')}</p>
              <p className="mt-2 text-13 text-muted">{t('safety')}</p>
            </div>
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
      </NotWhileImpersonating>
    </>
  )
}
