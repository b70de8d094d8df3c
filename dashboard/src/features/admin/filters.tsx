/** The filters of the list of users, and its order. */

import { useQuery } from '@tanstack/react-query'
import { useSettings } from '../../api/calls.ts'
import { SelectField } from '../../components/field.tsx'
import { type FilterControlProps, type FilterField, Filters } from '../../components/filters.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { rolesQuery } from '../../session/roles.ts'
import { dayNames, factorStates, statuses, type UserFilter } from './data.ts'
import { messages } from './index.ts'
import { OrganizationField, useOrganizationName } from './organization-field.tsx'
import { useRoleName } from './user-parts.tsx'

export const filterNames = ['status', 'role', 'provider', 'secondFactor', 'organization', ...dayNames] as const

/** No filter and no search. */
export const unfiltered = Object.fromEntries([...filterNames, 'search'].map((name) => [name, undefined]))

export const isFiltered = (filter: UserFilter): boolean =>
  filterNames.some((name) => filter[name] !== undefined) || filter.search !== undefined

export function useProviderName(): (id: string) => string {
  const t = useMessages(messages)
  const { socialProviders } = useSettings()
  return (id) => (id === 'credential' ? t('password') : (socialProviders.find((one) => one.id === id)?.name ?? id))
}

const orders = {
  '-createdAt': 'newestFirst',
  createdAt: 'oldestFirst',
  '-lastSignInAt': 'recentFirst',
  email: 'byEmail',
  name: 'byName',
} as const

/** The order of the list, as the last of the choices. */
function useOrder({ sortBy, sortDirection }: UserFilter): FilterField {
  const t = useMessages(messages)
  const value = `${sortDirection === 'desc' ? '-' : ''}${sortBy}`
  const options = Object.entries(orders).map(([order, key]) => ({ value: order, label: t(key) }))
  return { name: 'sort', label: t('sortBy'), kind: 'choice', value, options }
}

function useFields(filter: UserFilter): readonly FilterField[] {
  const t = useMessages(messages)
  const { socialProviders, organization, twoFactor } = useSettings()
  const { role, provider } = filter
  const order = useOrder(filter)
  const [roleName, providerName] = [useRoleName(), useProviderName()]
  const organizationName = useOrganizationName(filter.organization)
  const providers = ['credential', ...socialProviders.map(({ id }) => id)]
  const field = (name: (typeof filterNames)[number], sentence: string) => ({
    name,
    label: t(name),
    value: filter[name],
    sentence,
  })
  const choice = (any: string, options: readonly { readonly value: string; readonly label: string }[]) =>
    ({ kind: 'choice', options: [{ value: '', label: any }, ...options] }) as const
  return [
    {
      ...field('status', t('statusIs')),
      ...choice(
        t('anyStatus'),
        statuses.map((value) => ({ value, label: t(value) })),
      ),
    },
    { ...field('role', t('roleIs')), kind: 'control', shown: roleName(role ?? ''), Control: RoleField },
    {
      ...field('provider', t('providerIs')),
      ...choice(
        t('anyProvider'),
        [...new Set([...providers, provider ?? 'credential'])].map((value) => ({ value, label: providerName(value) })),
      ),
    },
    ...(twoFactor || filter.secondFactor
      ? [
          {
            ...field('secondFactor', t('secondFactor')),
            ...choice(
              t('anyFactor'),
              factorStates.map((value) => ({ value, label: t(value) })),
            ),
          },
        ]
      : []),
    ...(organization || filter.organization
      ? [
          {
            ...field('organization', t('memberOf')),
            ...({ kind: 'control', shown: organizationName ?? '', Control: OrganizationField } as const),
          },
        ]
      : []),
    order,
    ...dayNames.map((name) => ({ ...field(name, t(name)), kind: 'day' }) as const),
  ]
}

/** The roles are read when the dialog opens. */
function RoleField({ name, value, onChange }: FilterControlProps) {
  const t = useMessages(messages)
  const roleName = useRoleName()
  const { data } = useQuery(rolesQuery)
  // An unknown role of the address stays one of the choices.
  const roles = [...new Set([...(data?.roles.map((one) => one.role) ?? []), value])].filter(Boolean)
  return (
    <SelectField
      {...{ name, value, label: t('role') }}
      options={[{ value: '', label: t('anyRole') }, ...roles.map((role) => ({ value: role, label: roleName(role) }))]}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

export const UserFilters = ({ filter }: { readonly filter: UserFilter }) => {
  const t = useMessages(messages)
  return <Filters fields={useFields(filter)} title={t('filterUsers')} applyLabel={t('showUsers')} unfiltered={unfiltered} />
}
