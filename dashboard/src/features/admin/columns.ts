/** The columns of the list of users: those of the address, which a link shares, else those that this browser shows. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { queryClient, settingsQuery } from '../../api/calls.ts'
import { useParameters } from '../../routes/parameters.ts'

export const columnNames = ['status', 'roles', 'secondFactor', 'organizations', 'lastSignIn', 'created'] as const
export type ColumnName = (typeof columnNames)[number]

const storageKey = 'latchkey.users.hidden-columns'
const parameter = 'columns'
/** In the address, in place of names. */
const none = 'none'

type Read = (name: string) => string | undefined

/** What the address says; undefined: nothing. */
const namesOf = (read: Read): readonly ColumnName[] | undefined => {
  const given = read(parameter)?.split(',')
  return given && columnNames.filter((name) => given.includes(name))
}

function readStored(): readonly ColumnName[] {
  const hidden = (localStorage.getItem(storageKey) ?? '').split(',')
  return columnNames.filter((name) => !hidden.includes(name))
}

/** The settings are loaded before any page. */
const has = (name: 'organization' | 'twoFactor'): boolean => Boolean(queryClient.getQueryData(settingsQuery.queryKey)?.[name])

/** Counting the organizations of each user is left out when the numbers are hidden. */
export const showsOrganizations = (read: Read): boolean =>
  has('organization') && (namesOf(read) ?? readStored()).includes('organizations')

export function useColumns() {
  const navigate = useNavigate()
  const inAddress = namesOf(useParameters())
  const chosen = inAddress ?? readStored()
  const show = (next: readonly ColumnName[]) =>
    void navigate({
      to: '.',
      search: (former: object) => ({ ...former, [parameter]: next.join(',') || none }) as never,
      state: true,
      replace: true,
      resetScroll: false,
    } as never)
  // So that a copy of the address shows the same table to someone else.
  const isOwnChoice = inAddress === undefined && chosen.length < columnNames.length
  useEffect(() => {
    if (isOwnChoice) show(readStored())
  })
  const toggle = (name: ColumnName, isShown: boolean) => {
    const next = columnNames.filter((one) => (one === name ? isShown : chosen.includes(one)))
    localStorage.setItem(storageKey, columnNames.filter((one) => !next.includes(one)).join(','))
    show(next)
  }
  const available = columnNames.filter((name) => {
    if (name === 'organizations') return has('organization')
    return name !== 'secondFactor' || has('twoFactor')
  })
  return { available, shown: available.filter((name) => chosen.includes(name)), toggle }
}
