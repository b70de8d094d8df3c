/** Exports the rows of a list that match, page by page, as a file. */
import { Download } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { CodeBlock, ErrorNote, Note, useCountdown } from '../components/feedback.tsx'
import { SelectField } from '../components/field.tsx'
import { saveFile } from '../download.ts'
import { useLocale, useMessages } from '../i18n/messages.ts'
import { callPatiently, type Pause } from '../rate-limit.ts'
import { exportMessages, type FileFormat, mostRows } from './index.ts'

const perRequest = 500

interface Source {
  /** Of the file, before the date. */
  readonly fileName: string
  readonly readPage: (cursor: string | undefined, limit: number) => Promise<Page>
}

interface Page {
  readonly rows: readonly object[]
  readonly nextCursor: string | null
}

export interface ExportTexts {
  /** Of the button that opens the dialog. */
  readonly label: string
  readonly title: string
  /** What the file contains. */
  readonly text: string
  /** @param count as text */
  readonly running: (count: string) => string
  readonly done: (count: number, hasMore: boolean) => string
}

interface Props extends Source {
  readonly texts: ExportTexts
  readonly formats: readonly [FileFormat, ...FileFormat[]]
  /** The command that exports all rows. */
  readonly command: string
}

interface Progress {
  readonly state: 'idle' | 'running' | 'done'
  readonly count: number
  readonly hasMore: boolean
  readonly error: unknown
  /** While the API accepts no more requests. */
  readonly pause: Pause | undefined
}
const idle: Progress = { state: 'idle', count: 0, hasMore: false, error: null, pause: undefined }

function useExport({ fileName, readPage }: Source) {
  const [progress, setProgress] = useState(idle)
  const controller = useRef<AbortController>(null)
  const change = (next: Partial<Progress>) => setProgress((former) => ({ ...former, ...next }))
  const start = async ({ id, encode }: FileFormat) => {
    controller.current = new AbortController()
    const { signal } = controller.current
    const rows: object[] = []
    let cursor: string | undefined
    setProgress({ ...idle, state: 'running' })
    try {
      do {
        const page = await callPatiently(
          () => readPage(cursor, perRequest),
          signal,
          (pause) => change({ pause }),
        )
        rows.push(...page.rows)
        cursor = page.nextCursor ?? undefined
        change({ count: rows.length })
      } while (cursor !== undefined && rows.length < mostRows && !signal.aborted)
      const file = await encode(rows)
      if (signal.aborted) return setProgress(idle)
      saveFile(`${fileName}-${new Date().toISOString().slice(0, 10)}.${id}`, file)
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

export function ExportButton({ texts, formats, command, ...source }: Props) {
  const t = useMessages(exportMessages)
  const [isOpen, setOpen] = useState(false)
  const [format, setFormat] = useState(formats[0])
  const { progress, start, stop } = useExport(source)
  const isRunning = progress.state === 'running'
  const close = () => {
    stop()
    setOpen(false)
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Download aria-hidden className="size-4" />
        {texts.label}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title={texts.title}
        isWide
        actions={
          <>
            <Button onClick={isRunning ? stop : close}>{isRunning ? t('stopExport') : t('close')}</Button>
            <Button variant="primary" isBusy={isRunning} onClick={() => void start(format)}>
              {t('startExport')}
            </Button>
          </>
        }
      >
        <p className="text-13">{texts.text}</p>
        <CodeBlock code={command} label={t('command')} copyLabel={t('copyCommand')} />
        {formats.length > 1 ? (
          <SelectField
            label={t('format')}
            value={format.id}
            disabled={isRunning}
            onChange={({ target }) => setFormat(formats.find(({ id }) => id === target.value) ?? formats[0])}
            options={formats.map(({ id, name }) => ({ value: id, label: name }))}
          />
        ) : null}
        <ExportProgress progress={progress} texts={texts} />
      </Dialog>
    </>
  )
}

interface ProgressProps {
  readonly progress: Progress
  readonly texts: ExportTexts
}

function ExportProgress({ progress: { state, count, hasMore, error, pause }, texts }: ProgressProps) {
  const t = useMessages(exportMessages)
  const { format } = useLocale()
  const left = useCountdown(pause, pause?.seconds)
  return (
    <>
      {state === 'running' ? (
        <div className="grid gap-1.5 text-13 text-muted">
          <progress aria-label={texts.title} value={count} max={mostRows} className="h-1.5 w-full accent-(--accent-fill)" />
          <p className="tabular-nums">{texts.running(format.number(count))}</p>
          {pause ? <p>{t('exportPaused', { time: format.duration(left) })}</p> : null}
        </div>
      ) : null}
      {state === 'done' ? (
        <Note tone={hasMore ? 'warning' : 'success'} isLive>
          {texts.done(count, hasMore)}
        </Note>
      ) : null}
      {error ? <ErrorNote error={error} /> : null}
    </>
  )
}
