/** The options of a brand as fields. */
import { clsx } from 'clsx'
import { CircleAlert, Upload, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { brandFileLimits } from '../../../../src/features/dashboard/schemas.ts'
import { useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox, SelectField, TextField } from '../../components/field.tsx'
import { buttonLook, controlLook } from '../../components/look.ts'
import { useMessages } from '../../i18n/messages.ts'
import { type Draft, type FileChoice, isValidColor, patterns, pickFile } from './draft.ts'
import { messages } from './index.ts'

interface ControlsProps {
  readonly draft: Draft
  readonly onChange: (changed: Partial<Draft>) => void
}

export function Controls({ draft, onChange }: ControlsProps) {
  const t = useMessages(messages)
  const covers = ['none', ...patterns, 'image'] as const
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <TextField
        label={t('appName')}
        value={draft.appName}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => onChange({ appName: event.target.value })}
      />
      <ColorField label={t('accent')} hint={t('accentHint')} value={draft.accent} onChange={(accent) => onChange({ accent })} />
      <Checkbox
        label={t('sameInDark')}
        checked={draft.accentDark === null}
        onChange={(event) => onChange({ accentDark: event.target.checked ? null : draft.accent })}
      />
      {draft.accentDark === null ? null : (
        <ColorField label={t('accentDark')} value={draft.accentDark} onChange={(accentDark) => onChange({ accentDark })} />
      )}
      <Radius value={draft.radius} onChange={(radius) => onChange({ radius })} />
      <SelectField
        label={t('cover')}
        value={draft.cover}
        options={covers.map((value) => ({ value, label: t(value) }))}
        onChange={(event) => onChange({ cover: event.target.value as Draft['cover'] })}
      />
      {draft.cover === 'image' ? (
        <FileField
          option="cover"
          label={t('coverImage')}
          value={draft.coverImage}
          onChange={(coverImage) => onChange({ coverImage })}
        />
      ) : null}
      <FileField option="logo" label={t('logo')} value={draft.logo} onChange={(logo) => onChange({ logo })} />
      <FileField option="logo" label={t('logoDark')} value={draft.logoDark} onChange={(logoDark) => onChange({ logoDark })} />
      <FileField option="font" label={t('font')} value={draft.font} onChange={(font) => onChange({ font })} />
    </div>
  )
}

interface ColorFieldProps {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The shade of Latchkey, in place of no color. */
const standard = '#0b6b61'

/** A text, because brand colors are pasted, with the color picker of the system next to it. */
function ColorField({ label, hint, value, onChange }: ColorFieldProps) {
  const t = useMessages(messages)
  const id = useId()
  const isValid = isValidColor(value)
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-13 font-medium">
        {label}
      </label>
      <div className="flex items-stretch gap-2">
        <input
          type="color"
          aria-label={t('pick', { label })}
          value={isValid && value !== '' ? value.toLowerCase() : standard}
          onChange={(event) => onChange(event.target.value)}
          className="h-[max(2.25rem,var(--target))] w-12 shrink-0 cursor-pointer rounded-control border border-control bg-surface p-1"
        />
        <input
          id={id}
          value={value}
          maxLength={7}
          placeholder={standard}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={isValid ? undefined : true}
          aria-describedby={`${id}-about`}
          onChange={(event) => onChange(event.target.value.trim())}
          className={controlLook('normal', 'font-mono')}
        />
      </div>
      <About id={`${id}-about`} error={isValid ? null : t('invalidColor')}>
        {hint}
      </About>
    </div>
  )
}

const About = ({
  id,
  error,
  children,
}: {
  readonly id: string
  readonly error: string | null
  readonly children?: ReactNode
}) => (
  <p id={id} role="status" className={clsx('mt-1.5 flex gap-1.5 text-13 empty:hidden', error ? 'text-danger' : 'text-muted')}>
    {error ? <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" /> : null}
    {error ?? children}
  </p>
)

const mostPixels = 16

function Radius({ value, onChange }: { readonly value: number; readonly onChange: (value: number) => void }) {
  const t = useMessages(messages)
  const id = useId()
  return (
    <div>
      <div className="mb-1 flex items-baseline justify-between gap-3 text-13">
        <label htmlFor={id} className="font-medium">
          {t('radius')}
        </label>
        <output htmlFor={id} className="text-muted tabular-nums">
          {t('pixels', { count: value })}
        </output>
      </div>
      <input
        id={id}
        type="range"
        min={0}
        max={mostPixels}
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
        className="block min-h-(--target) w-full cursor-pointer accent-(--accent)"
      />
    </div>
  )
}

interface FileFieldProps {
  readonly option: 'logo' | 'cover' | 'font'
  readonly label: string
  readonly value: FileChoice
  readonly onChange: (value: FileChoice) => void
}

/** The file stays in the browser: it is shown, and not sent. */
function FileField({ option, label, value, onChange }: FileFieldProps) {
  const t = useMessages(messages)
  const id = useId()
  const [problem, setProblem] = useState<'tooLarge' | 'wrongType' | null>(null)
  const { branding } = useSettings()
  const { kib, extensions } = brandFileLimits[option]
  const isConfigured = { logo: branding.logo, cover: branding.cover?.image, font: branding.font }[option] != null
  const shown =
    typeof value === 'object' ? value.name : value === 'none' ? t('removed') : isConfigured ? t('configured') : t('removed')
  const pick = async (file: File | undefined) => {
    if (!file) return
    const picked = await pickFile(file, option)
    setProblem(typeof picked === 'string' ? picked : null)
    if (typeof picked === 'object') onChange(picked)
  }
  const canRemove = typeof value === 'object' || (value === 'configured' && isConfigured)
  return (
    <div>
      <div className="mb-1.5 text-13 font-medium">{label}</div>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <label
          className={clsx(
            buttonLook({}),
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
          )}
        >
          <Upload aria-hidden className="size-4" />
          {t('choose')}
          <input
            type="file"
            aria-label={`${label}: ${t('choose')}`}
            aria-describedby={`${id}-about`}
            accept={extensions.map((extension) => `.${extension}`).join()}
            className="sr-only"
            onChange={(event) => {
              void pick(event.target.files?.[0])
              // The same file can be chosen again, after a change of it.
              event.target.value = ''
            }}
          />
        </label>
        <span translate="no" className="min-w-0 text-13 text-muted wrap-anywhere">
          {shown}
        </span>
        {canRemove ? (
          <Button isIcon variant="ghost" aria-label={t('remove', { label })} onClick={() => onChange('none')}>
            <X aria-hidden className="size-4" />
          </Button>
        ) : null}
      </div>
      <About
        id={`${id}-about`}
        error={problem === null ? null : problem === 'tooLarge' ? t('tooLarge', { kib }) : t('wrongType')}
      >
        {t(option === 'font' ? 'fontHint' : 'imageHint', { kib })}
      </About>
    </div>
  )
}
