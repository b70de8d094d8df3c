/** The filters of a list: chips that read as sentences, and a dialog to set them. Both follow from the fields. */
import { ListFilter } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { useLocale } from '../i18n/messages.ts'
import { useFrameMessages } from '../messages/index.ts'
import { useFilter } from '../routes/list-state.ts'
import { Button } from './button.tsx'
import { Chip } from './chip.tsx'
import { Dialog } from './dialog.tsx'
import { SelectField, TextField } from './field.tsx'

type Values = Readonly<Record<string, string>>

export interface FilterChoice {
  readonly value: string
  readonly label: string
}

export interface FilterControlProps {
  readonly name: string
  readonly value: string
  readonly onChange: (value: string) => void
}

interface AnyField {
  /** The parameter of the address. */
  readonly name: string
  readonly label: string
  /** What is set; undefined: nothing. */
  readonly value: string | undefined
  /** What the chip says before the value; absent: the page shows what is set, or it is an order and no filter. */
  readonly sentence?: string | undefined
  /** Whether it does not apply to what else is chosen in the dialog. */
  readonly isHidden?: (values: Values) => boolean
}

/** Chosen from options, a day, a text, or set by a control of its own. */
export type FilterField = AnyField &
  (
    | { readonly kind: 'choice'; readonly options: readonly FilterChoice[] }
    | { readonly kind: 'day' }
    | { readonly kind: 'text'; readonly shown?: string }
    /** Only the page can set it. */
    | { readonly kind: 'chip' }
    | { readonly kind: 'control'; readonly shown: string; readonly Control: ComponentType<FilterControlProps> }
  )

interface Props {
  readonly fields: readonly FilterField[]
  /** Of the dialog. */
  readonly title: string
  /** Of the button that applies them: it names what is listed. */
  readonly applyLabel: string
  /** The parameters of the address without a filter and a search. */
  readonly unfiltered: Readonly<Record<string, undefined>>
  /** Filters that are set and that the page shows without a chip. */
  readonly others?: number
}

export function Filters({ fields, others = 0, ...dialog }: Props) {
  const t = useFrameMessages()
  const change = useFilter()
  const shown = useShown()
  const [isOpen, setOpen] = useState(false)
  const used = fields.filter(({ value, sentence }) => value !== undefined && sentence !== undefined)
  const count = used.length + others
  return (
    <>
      {used.map((field) => {
        const [sentence, value] = [field.sentence ?? '', shown(field)]
        return (
          <Chip
            key={field.name}
            field={sentence}
            value={value}
            removeLabel={t('removeFilter', { filter: `${sentence} ${value}` })}
            onOpen={() => setOpen(true)}
            onRemove={() => change({ [field.name]: undefined })}
          />
        )
      })}
      <Button onClick={() => setOpen(true)}>
        <ListFilter aria-hidden className="size-4" />
        <span className="card:hidden">{count > 0 ? t('filtersCount', { count }) : t('filters')}</span>
        <span className="hidden card:inline">{t('addFilter')}</span>
      </Button>
      {isOpen ? <FilterDialog fields={fields} {...dialog} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** @returns a function that words the value of a field */
function useShown(): (field: FilterField) => string {
  const { format } = useLocale()
  return (field) => {
    const { value = '' } = field
    if (field.kind === 'day') return format.date(new Date(`${value}T00:00`))
    if (field.kind === 'choice') return labelsOf(value, field.options)
    return field.kind === 'chip' ? value : (field.shown ?? value)
  }
}

const labelsOf = (list: string, options: readonly FilterChoice[]): string => {
  const labels = options.filter(({ value }) => value === list || list.split(',').includes(value)).map(({ label }) => label)
  return labels.length > 0 ? labels.join(', ') : list
}

interface DialogProps extends Omit<Props, 'others'> {
  readonly onClose: () => void
}

function FilterDialog({ fields, title, applyLabel, unfiltered, onClose }: DialogProps) {
  const t = useFrameMessages()
  const change = useFilter()
  const [values, setValues] = useState<Values>(() => Object.fromEntries(fields.map(({ name, value = '' }) => [name, value])))
  const leaveWith = (next: Readonly<Record<string, string | undefined>>) => {
    change(next)
    onClose()
  }
  const apply = () =>
    leaveWith(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim() || undefined])))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      isWide
      actions={
        <>
          <Button variant="ghost" onClick={() => leaveWith(unfiltered)}>
            {t('clearFilters')}
          </Button>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" onClick={apply}>
            {applyLabel}
          </Button>
        </>
      }
    >
      <form
        className="grid gap-4 card:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        {fields
          .filter(({ isHidden }) => !isHidden?.(values))
          .map((field) => (
            <Control
              key={field.name}
              field={field}
              value={values[field.name] ?? ''}
              onChange={(value) => setValues({ ...values, [field.name]: value })}
            />
          ))}
        {/* Enter in a field applies the filters. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}

interface ControlProps extends Omit<FilterControlProps, 'name'> {
  readonly field: FilterField
}

function Control({ field, value, onChange }: ControlProps) {
  const { name, label, kind } = field
  const control = {
    ...{ label, name, value },
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onChange(target.value),
  }
  if (kind === 'chip') return null
  if (kind === 'control') return <field.Control name={name} value={value} onChange={onChange} />
  if (kind === 'day') return <TextField {...control} type="date" />
  if (kind === 'text') return <TextField {...control} autoComplete="off" spellCheck={false} dir="ltr" />
  // A value that is not one of the options, or several of them, stays one choice until another is made.
  const isKnown = field.options.some((option) => option.value === value)
  const other = isKnown ? [] : [{ value, label: labelsOf(value, field.options) }]
  return <SelectField {...control} options={[...field.options, ...other]} />
}
