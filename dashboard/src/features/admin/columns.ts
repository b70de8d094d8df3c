/** The columns of the list of users that this browser shows. */
import { useState } from 'react'
import { queryClient, settingsQuery } from '../../api.ts'

export const columnNames = ['status', 'roles', 'organizations', 'lastSignIn', 'created'] as const
export type ColumnName = (typeof columnNames)[number]

const storageKey = 'latchkey.users.hidden-columns'

function readHidden(): readonly ColumnName[] {
  const stored = (localStorage.getItem(storageKey) ?? '').split(',')
  return columnNames.filter((name) => stored.includes(name))
}

/** The settings are loaded before any page. */
const hasOrganizations = (): boolean => Boolean(queryClient.getQueryData(settingsQuery.queryKey)?.organization)

/** Counting the organizations of each user is left out when the numbers are hidden. */
export const showsOrganizations = (): boolean => hasOrganizations() && !readHidden().includes('organizations')

export function useColumns() {
  const [hidden, setHidden] = useState(readHidden)
  const toggle = (name: ColumnName, isShown: boolean) => {
    const next = columnNames.filter((one) => (one === name ? !isShown : hidden.includes(one)))
    localStorage.setItem(storageKey, next.join(','))
    setHidden(next)
  }
  const available = columnNames.filter((name) => name !== 'organizations' || hasOrganizations())
  return { available, shown: available.filter((name) => !hidden.includes(name)), toggle }
}
