/** Exports the rows of a list that match as a file of any size. */
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { saveURL } from '../browser/download.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { CodeBlock, ErrorNote } from '../components/feedback.tsx'
import { SelectField } from '../components/field.tsx'
import { useMessages } from '../i18n/messages.ts'
import { call } from '../session/session.ts'
import { downloadURL, refreshExports } from './data.ts'
import { ExportList } from './export-list.tsx'
import { exportMessages } from './index.ts'

const formats = { csv: 'CSV', ndjson: 'NDJSON' } as const
type FormatName = keyof typeof formats

interface Props {
  /** The list, and its filters as the API names them. */
  readonly source: string
  readonly filter: Readonly<Record<string, string | number | boolean | undefined>>
  /** Of the button, and the title of the dialog that it opens. */
  readonly label: string
  /** What the file contains. */
  readonly text: string
  /** The command that exports all rows, if there is one. */
  readonly command?: string
}

export function ExportButton({ label, ...dialog }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Download aria-hidden className="size-4" />
        {label}
      </Button>
      {isOpen ? <ExportDialog {...dialog} label={label} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function ExportDialog({ source, filter: given, label, text, command, onClose }: Props & { readonly onClose: () => void }) {
  const t = useMessages(exportMessages)
  const [format, setFormat] = useState<FormatName>('csv')
  const filter = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const start = useMutation({
    mutationFn: () => call('POST /list-export/create', { body: { source, format, filter } }),
    onSuccess: (created) => {
      // A short list is complete immediately.
      if (created.state === 'completed') saveURL(downloadURL(created))
    },
    onSettled: refreshExports,
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={label}
      isWide
      actions={
        <>
          <Button onClick={onClose}>{t('close')}</Button>
          <Button variant="primary" isBusy={start.isPending} onClick={() => start.mutate()}>
            {t('startExport')}
          </Button>
        </>
      }
    >
      <p className="text-13">{text}</p>
      {command === undefined ? null : <CodeBlock code={command} label={t('command')} copyLabel={t('copyCommand')} />}
      <SelectField
        label={t('format')}
        value={format}
        onChange={({ target }) => setFormat(target.value as FormatName)}
        options={Object.entries(formats).map(([value, name]) => ({ value, label: name }))}
      />
      {start.error ? <ErrorNote error={start.error} /> : null}
      <ExportList source={source} />
    </Dialog>
  )
}
