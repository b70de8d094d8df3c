/** New backup codes, which are shown once: the user goes on only after keeping them. */
import { Check, Copy, Download, Printer } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useSettings } from '../../api/calls.ts'
import { copyText } from '../../browser/clipboard.ts'
import { saveText } from '../../browser/download.ts'
import { Button } from '../../components/button.tsx'
import { Note } from '../../components/feedback.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { useSession } from '../../session/session.ts'
import { messages } from './messages.ts'

interface Props {
  readonly codes: readonly string[]
  readonly onDone: () => void
}

export function BackupCodes({ codes, onDone }: Props) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { appName } = useSettings()
  const { email } = useSession().user
  const [isKept, setKept] = useState(false)
  const head = t('codesFor', { appName, email })
  return (
    <>
      <Note tone="warning" isLive>
        <p>{t('codesOnce')}</p>
      </Note>
      <div data-print>
        <p className="hidden pb-4 font-medium print:block">{head}</p>
        <ul
          dir="ltr"
          aria-label={t('backupCodes')}
          className="grid grid-cols-2 gap-x-4 gap-y-1 rounded-control bg-sunken px-4 py-3"
        >
          {codes.map((code) => (
            <li key={code} translate="no" className="font-mono text-13 [font-variant-ligatures:none]">
              {code}
            </li>
          ))}
        </ul>
      </div>
      <Keep codes={codes} head={head} onKept={() => setKept(true)} />
      <div className="grid justify-items-start gap-2 border-t border-border pt-4">
        <Button variant="primary" disabled={!isKept} aria-describedby="keep-codes" onClick={onDone}>
          {frame('continue')}
        </Button>
        <p id="keep-codes" className="text-13 text-muted">
          {isKept ? t('codesKept') : t('keepFirst')}
        </p>
      </div>
    </>
  )
}

interface KeepProps extends Pick<Props, 'codes'> {
  /** What the codes are for. */
  readonly head: string
  readonly onKept: () => void
}

/** The first one has the focus. */
function Keep({ codes, head, onKept }: KeepProps) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const [copied, setCopied] = useState<boolean>()
  const focusFirst = useCallback((node: HTMLDivElement | null) => node?.querySelector('button')?.focus(), [])
  const copy = async () => {
    const isCopied = await copyText(codes.join('\n'))
    setCopied(isCopied)
    if (isCopied) onKept()
  }
  const save = () => {
    saveText(t('codesFile'), `${head}\n\n${codes.join('\n')}\n`)
    onKept()
  }
  const printCodes = () => {
    print()
    onKept()
  }
  return (
    <>
      <div ref={focusFirst} className="flex flex-wrap gap-2">
        <Button onClick={() => void copy()}>
          {copied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
          {copied ? frame('copied') : t('copyCodes')}
        </Button>
        <Button onClick={save}>
          <Download aria-hidden className="size-4" />
          {t('downloadCodes')}
        </Button>
        <Button onClick={printCodes}>
          <Printer aria-hidden className="size-4" />
          {t('printCodes')}
        </Button>
      </div>
      <p role="status" className="text-13 text-danger empty:hidden">
        {copied === false ? frame('notCopied') : ''}
      </p>
    </>
  )
}
