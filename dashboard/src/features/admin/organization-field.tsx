/** A field in which an organization of the instance is searched by its name and chosen. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { TextField } from '../../components/field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { messages } from './index.ts'
import { anyOrganizationQuery } from './organization-data.ts'

const Search = lazy(() => import('./organization-search.tsx').then((module) => ({ default: module.OrganizationSearch })))

/** The name of an organization, for those who may list organizations; else its ID. */
export function useOrganizationName(id: string | undefined): string | undefined {
  const mayList = useIsPermitted()('organization', 'list')
  const { data } = useQuery({ ...anyOrganizationQuery(id ?? ''), enabled: mayList && id !== undefined, retry: false })
  return data?.name ?? id
}

interface Props {
  /** The ID of an organization; empty: none. */
  readonly value: string
  readonly onChange: (id: string) => void
}

/** Those who may not list organizations enter an ID. */
export function OrganizationField({ value, onChange }: Props) {
  const t = useMessages(messages)
  if (useIsPermitted()('organization', 'list'))
    return (
      <Suspense>
        <Search value={value} onChange={onChange} />
      </Suspense>
    )

  return (
    <TextField
      label={t('organizationId')}
      autoComplete="off"
      dir="ltr"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
