/** The filters of the audit log: chips that read as sentences, and a dialog to set them, also those of the facets. */
import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import type { AuditEvent } from '../../events/index.ts'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFilter } from '../../list-state.ts'
import { useFrameMessages } from '../../messages.ts'
import { actorKinds, type EventFilter, type ExactName, exactNames, groupNames, outcomes, type RangeName, ranges } from './data.ts'
import { groupKeys } from './facets.tsx'
import { messages } from './index.ts'

const rangeKeys = { '1h': 'hourRange', '24h': 'dayRange', '7d': 'weekRange', '30d': 'monthRange' } as const
const rangeNames = Object.keys(ranges) as RangeName[]

const exactKeys = {
  actorId: 'actorIdIs',
  userId: 'userIdIs',
  organizationId: 'organizationIdIs',
  targetId: 'targetIdIs',
  ipAddress: 'ipAddressIs',
  requestId: 'requestIdIs',
} as const satisfies Record<ExactName, string>

/** No filter and no search: values of the parameters of the address. */
export const unfiltered = Object.fromEntries(
  [...exactNames, 'search', 'outcome', 'actor', 'group', 'action', 'range', 'from', 'until'].map((name) => [name, undefined]),
)

export const isFiltered = ({ outcome, actorKind, group, ...rest }: EventFilter): boolean =>
  outcome.length + actorKind.length + group.length > 0 || Object.values(rest).some((value) => value !== undefined)

interface Props {
  readonly filter: EventFilter
  /** Those that are shown: they have the names of the IDs. */
  readonly events: readonly AuditEvent[]
}

/** The name of a user or organization that one of the events names. */
function nameOf(name: ExactName, id: string, events: readonly AuditEvent[]): string {
  if (name === 'organizationId') return events.find(({ organization }) => organization?.id === id)?.organization?.name ?? id
  if (name !== 'actorId' && name !== 'userId') return id
  const users = events.flatMap(({ actor, user, impersonatedBy }) => [actor, user, impersonatedBy])
  return users.find((one) => one?.id === id && one.name)?.name ?? id
}

function useChips({ filter, events }: Props) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const day = (text: string) => format.date(new Date(`${text}T00:00`))
  const exact = exactNames.flatMap((name) => {
    const value = filter[name]
    return value === undefined ? [] : [{ name, field: t(exactKeys[name]), value: nameOf(name, value, events) }]
  })
  const { action, range, from, until } = filter
  return [
    ...(range ? [{ name: 'range', field: t('whenIs'), value: t(rangeKeys[range]) }] : []),
    ...(range || !from ? [] : [{ name: 'from', field: t('from'), value: day(from) }]),
    ...(range || !until ? [] : [{ name: 'until', field: t('until'), value: day(until) }]),
    ...(action ? [{ name: 'action', field: t('actionIs'), value: action }] : []),
    ...exact,
  ]
}

export function Filters({ filter, events }: Props) {
  const t = useMessages(messages)
  const change = useFilter()
  const [isOpen, setOpen] = useState(false)
  const chips = useChips({ filter, events })
  const count = chips.length + [filter.outcome, filter.group, filter.actorKind].filter(({ length }) => length > 0).length
  return (
    <>
      {chips.map(({ name, field, value }) => (
        <Chip
          key={name}
          field={field}
          value={value}
          removeLabel={t('removeFilter', { filter: `${field} ${value}` })}
          onOpen={() => setOpen(true)}
          onRemove={() => change({ [name]: undefined })}
        />
      ))}
      <Button onClick={() => setOpen(true)}>
        <ListFilter aria-hidden className="size-4" />
        <span className="card:hidden">{count > 0 ? t('filtersCount', { count }) : t('filters')}</span>
        <span className="hidden card:inline">{t('addFilter')}</span>
      </Button>
      {isOpen ? <FilterDialog filter={filter} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

interface DialogProps {
  readonly filter: EventFilter
  readonly onClose: () => void
}

/** What the dialog shows, by parameter of the address. */
const valuesOf = ({ outcome, actorKind, group, ...rest }: EventFilter): Readonly<Record<string, string>> => ({
  ...Object.fromEntries([...exactNames, 'range', 'from', 'until'].map((name) => [name, rest[name as ExactName] ?? ''])),
  outcome: outcome.join(','),
  actor: actorKind.join(','),
  group: group.join(','),
})

function FilterDialog({ filter, onClose }: DialogProps) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const change = useFilter()
  const [values, setValues] = useState(() => valuesOf(filter))
  const control = (name: string) => ({
    name,
    value: values[name] ?? '',
    onChange: ({ target }: { readonly target: { readonly value: string } }) => setValues({ ...values, [name]: target.value }),
  })
  const apply = () => {
    change(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim() || undefined])))
    onClose()
  }
  const clear = () => {
    change(unfiltered)
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('filterEvents')}
      isWide
      actions={
        <>
          <Button variant="ghost" onClick={clear}>
            {t('clearFilters')}
          </Button>
          <Button onClick={onClose}>{frame('cancel')}</Button>
          <Button variant="primary" onClick={apply}>
            {t('showEvents')}
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
        <Choices control={control} />
        {values.range ? null : (
          <>
            <TextField label={t('from')} type="date" {...control('from')} />
            <TextField label={t('until')} type="date" {...control('until')} />
          </>
        )}
        {exactNames.map((name) => (
          <TextField key={name} label={t(name)} autoComplete="off" spellCheck={false} dir="ltr" {...control(name)} />
        ))}
        {/* Enter in a field applies the filters. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}

interface Control {
  readonly name: string
  readonly value: string
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void
}

function Choices({ control }: { readonly control: (name: string) => Control }) {
  const t = useMessages(messages)
  /** Several values of a facet stay one choice, until another is made. */
  const choice = (name: string, any: string, options: readonly { readonly value: string; readonly label: string }[]) => {
    const { value } = control(name)
    const several = value.includes(',') ? [{ value, label: labelsOf(value, options) }] : []
    return { ...control(name), options: [{ value: '', label: any }, ...several, ...options] }
  }
  return (
    <>
      <SelectField
        label={t('when')}
        {...choice(
          'range',
          t('anyTime'),
          rangeNames.map((value) => ({ value, label: t(rangeKeys[value]) })),
        )}
      />
      <SelectField
        label={t('outcome')}
        {...choice(
          'outcome',
          t('anyOutcome'),
          outcomes.map((value) => ({ value, label: t(value) })),
        )}
      />
      <SelectField
        label={t('actionGroup')}
        {...choice(
          'group',
          t('anyAction'),
          groupNames.map((value) => ({ value, label: t(groupKeys[value]) })),
        )}
      />
      <SelectField
        label={t('actor')}
        {...choice(
          'actor',
          t('anyActor'),
          actorKinds.map((value) => ({ value, label: t(value) })),
        )}
      />
    </>
  )
}

const labelsOf = (list: string, options: readonly { readonly value: string; readonly label: string }[]): string =>
  options
    .filter(({ value }) => list.split(',').includes(value))
    .map(({ label }) => label)
    .join(', ')
