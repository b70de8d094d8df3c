/** Exports the events that match, page by page, as a file with one JSON object per line. */
import { Download } from 'lucide-react'
import { useRef, useState } from 'react'
import { ClientError } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { CodeBlock, ErrorNote, Note, useCountdown } from '../../components/feedback.tsx'
import { saveFile } from '../../download.ts'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { type EventFilter, readPage } from './data.ts'
import { messages } from './index.ts'

/** Events of a file: what a browser can hold in memory; the command line has no such limit. */
const most = 50_000
const perRequest = 500

interface Progress {
  readonly state: 'idle' | 'running' | 'done'
  readonly count: number
  readonly hasMore: boolean
  readonly error: unknown
  /** While the API accepts no more requests. */
  readonly pause: { readonly seconds: number } | undefined
}
const idle: Progress = { state: 'idle', count: 0, hasMore: false, error: null, pause: undefined }

/** Resolves after this time, or immediately when the signal is aborted. */
const wait = (seconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

function useExport(filter: EventFilter) {
  const [progress, setProgress] = useState(idle)
  const controller = useRef<AbortController>(null)
  const change = (next: Partial<Progress>) => setProgress((former) => ({ ...former, ...next }))
  const read = async (cursor: string | undefined, signal: AbortSignal) => {
    for (;;) {
      try {
        return await readPage(filter, cursor, perRequest)
      } catch (error) {
        const seconds = error instanceof ClientError && error.status === 429 ? error.retryAfter : undefined
        if (seconds === undefined || signal.aborted) throw error
        change({ pause: { seconds } })
        await wait(seconds, signal)
        change({ pause: undefined })
      }
    }
  }
  const start = async () => {
    controller.current = new AbortController()
    const { signal } = controller.current
    const lines: string[] = []
    let cursor: string | undefined
    setProgress({ ...idle, state: 'running' })
    try {
      do {
        const page = await read(cursor, signal)
        lines.push(...page.events.map((event) => `${JSON.stringify(event)}\n`))
        cursor = page.nextCursor ?? undefined
        change({ count: lines.length })
      } while (cursor !== undefined && lines.length < most && !signal.aborted)
      if (signal.aborted) return setProgress(idle)
      saveFile(`audit-log-${new Date().toISOString().slice(0, 10)}.ndjson`, new Blob(lines, { type: 'application/x-ndjson' }))
      change({ state: 'done', hasMore: cursor !== undefined })
    } catch (error) {
      setProgress({ ...idle, error: signal.aborted ? null : error })
    }
  }
  const stop = () => {
    controller.current?.abort()
    setProgress(idle)
  }
  return { progress, start, stop }
}

export function ExportButton({ filter }: { readonly filter: EventFilter }) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const [isOpen, setOpen] = useState(false)
  const { progress, start, stop } = useExport(filter)
  const isRunning = progress.state === 'running'
  const close = () => {
    stop()
    setOpen(false)
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Download aria-hidden className="size-4" />
        {t('export')}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title={t('exportTitle')}
        isWide
        actions={
          <>
            <Button onClick={isRunning ? stop : close}>{isRunning ? t('stopExport') : t('close')}</Button>
            <Button variant="primary" isBusy={isRunning} onClick={() => void start()}>
              {t('startExport')}
            </Button>
          </>
        }
      >
        <p className="text-13">{t('exportText', { most: format.number(most) })}</p>
        <CodeBlock code="latchkey audit list --json > audit-log.ndjson" label={t('command')} copyLabel={t('copyCommand')} />
        <ExportProgress progress={progress} />
      </Dialog>
    </>
  )
}

function ExportProgress({ progress: { state, count, hasMore, error, pause } }: { readonly progress: Progress }) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const left = useCountdown(pause, pause?.seconds)
  return (
    <>
      {state === 'running' ? (
        <div className="grid gap-1.5 text-13 text-muted">
          <progress aria-label={t('exportTitle')} value={count} max={most} className="h-1.5 w-full accent-(--accent-fill)" />
          <p className="tabular-nums">{t('exporting', { count: format.number(count) })}</p>
          {pause ? <p>{t('exportPaused', { time: format.duration(left) })}</p> : null}
        </div>
      ) : null}
      {state === 'done' ? (
        <Note tone={hasMore ? 'warning' : 'success'} isLive>
          {t(hasMore ? 'exportCapped' : 'exported', { count })}
        </Note>
      ) : null}
      {error ? <ErrorNote error={error} /> : null}
    </>
  )
}
