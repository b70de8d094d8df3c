/** The filters of the list of users: chips that read as sentences, and a dialog to set them. */
import { useQuery } from '@tanstack/react-query'
import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { useSettings } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFilter } from '../../list-state.ts'
import { useFrameMessages } from '../../messages.ts'
import { type DayName, rolesQuery, statuses, type UserFilter } from './data.ts'
import { messages } from './index.ts'
import { useRoleName } from './user-parts.tsx'

export const filterNames = [
  'status',
  'role',
  'provider',
  'organization',
  'createdAfter',
  'createdBefore',
  'lastSignInAfter',
  'lastSignInBefore',
] as const
type Field = (typeof filterNames)[number]

/** No filter and no search. */
export const unfiltered = Object.fromEntries([...filterNames, 'search'].map((name) => [name, undefined]))

export const isFiltered = (filter: UserFilter): boolean =>
  filterNames.some((name) => filter[name] !== undefined) || filter.search !== undefined

export function useProviderName(): (id: string) => string {
  const t = useMessages(messages)
  const { socialProviders } = useSettings()
  return (id) => (id === 'credential' ? t('password') : (socialProviders.find((one) => one.id === id)?.name ?? id))
}

/** A filter as a sentence: what is filtered, and by which value. */
function useSentence(): (name: Field, value: string) => readonly [field: string, value: string] {
  const t = useMessages(messages)
  const { format } = useLocale()
  const roleName = useRoleName()
  const providerName = useProviderName()
  const day = (name: DayName, value: string) => [t(name), format.date(new Date(`${value}T00:00`))] as const
  return (name, value) => {
    if (name === 'status') return [t('statusIs'), t(statuses.find((one) => one === value) ?? 'active')]
    if (name === 'role') return [t('roleIs'), roleName(value)]
    if (name === 'provider') return [t('providerIs'), providerName(value)]
    return name === 'organization' ? [t('memberOf'), value] : day(name, value)
  }
}

export function Filters({ filter }: { readonly filter: UserFilter }) {
  const t = useMessages(messages)
  const change = useFilter()
  const sentence = useSentence()
  const [isOpen, setOpen] = useState(false)
  const used = filterNames.flatMap((name) => {
    const value = filter[name]
    return value === undefined ? [] : [{ name, parts: sentence(name, value) }]
  })
  return (
    <>
      {used.map(({ name, parts: [field, value] }) => (
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
        <span className="card:hidden">{used.length > 0 ? t('filtersCount', { count: used.length }) : t('filters')}</span>
        <span className="hidden card:inline">{t('addFilter')}</span>
      </Button>
      {isOpen ? <FilterDialog filter={filter} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

const sortOrders = ['-createdAt', 'createdAt', '-lastSignInAt', 'email', 'name'] as const

function FilterDialog({ filter, onClose }: { readonly filter: UserFilter; readonly onClose: () => void }) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const change = useFilter()
  const sort = `${filter.sortDirection === 'desc' ? '-' : ''}${filter.sortBy}`
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() => ({
    ...Object.fromEntries(filterNames.map((name) => [name, filter[name] ?? ''])),
    sort,
  }))
  const control = (name: string): Control => ({
    name,
    value: values[name] ?? '',
    onChange: ({ target }) => setValues({ ...values, [name]: target.value }),
  })
  const apply = () => {
    change(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim() || undefined])))
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('filterUsers')}
      isWide
      actions={
        <>
          <Button
            variant="ghost"
            onClick={() => {
              change(unfiltered)
              onClose()
            }}
          >
            {t('clearFilters')}
          </Button>
          <Button onClick={onClose}>{frame('cancel')}</Button>
          <Button variant="primary" onClick={apply}>
            {t('showUsers')}
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
        <Choices control={control} sort={sort} />
        <TextField label={t('createdAfter')} type="date" {...control('createdAfter')} />
        <TextField label={t('createdBefore')} type="date" {...control('createdBefore')} />
        <TextField label={t('lastSignInAfter')} type="date" {...control('lastSignInAfter')} />
        <TextField label={t('lastSignInBefore')} type="date" {...control('lastSignInBefore')} />
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

interface ChoicesProps {
  readonly control: (name: string) => Control
  readonly sort: string
}

function Choices({ control, sort }: ChoicesProps) {
  const t = useMessages(messages)
  const { socialProviders, organization } = useSettings()
  const roleName = useRoleName()
  const providerName = useProviderName()
  const { data } = useQuery(rolesQuery)
  const option = (label: string) => (value: string) => ({ value, label: label || value })
  const role = control('role')
  // An unknown role of the address stays one of the choices.
  const roles = [...new Set([...(data?.roles.map((one) => one.role) ?? []), role.value])].filter(Boolean)
  const orders = {
    '-createdAt': 'newestFirst',
    createdAt: 'oldestFirst',
    '-lastSignInAt': 'recentFirst',
    email: 'byEmail',
    name: 'byName',
  } as const
  return (
    <>
      <SelectField
        label={t('status')}
        {...control('status')}
        options={[option(t('anyStatus'))(''), ...statuses.map((value) => ({ value, label: t(value) }))]}
      />
      <SelectField
        label={t('role')}
        {...role}
        options={[option(t('anyRole'))(''), ...roles.map((value) => ({ value, label: roleName(value) }))]}
      />
      <SelectField
        label={t('provider')}
        {...control('provider')}
        options={[
          option(t('anyProvider'))(''),
          ...['credential', ...socialProviders.map(({ id }) => id)].map((value) => ({ value, label: providerName(value) })),
        ]}
      />
      {organization ? <TextField label={t('organizationId')} autoComplete="off" dir="ltr" {...control('organization')} /> : null}
      <SelectField
        label={t('sortBy')}
        {...control('sort')}
        options={[...new Set([...sortOrders, sort])].map((value) => ({
          value,
          label: Object.hasOwn(orders, value) ? t(orders[value as keyof typeof orders]) : value,
        }))}
      />
    </>
  )
}
