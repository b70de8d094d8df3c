/** The addresses in the invite dialog: read from its text, checked by the API, each with a role. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { organizationKey, useOrganization } from '../../session/organizations.ts'
import { call } from '../../session/session.ts'
import { completedPart, readAddresses } from './invitation-addresses.ts'
import type { Draft, Sent } from './invitation-sending.ts'

/** How many the API checks in one call. */
export const mostAddresses = 200

/** In milliseconds. */
const typingPause = 300

export type AddressState = 'unchecked' | 'new' | 'member' | 'invited' | 'invalid'

export interface Row {
  readonly email: string
  readonly state: AddressState
  readonly role: string
  /** Whether a pending invitation is renewed. */
  readonly isRenewal: boolean
}

/** The same value once it has not changed for a while. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingPause)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** Checks what can be an email address. The API checks it again when it sends. */
function useStates(organizationId: string, emails: readonly string[]) {
  const settled = useSettled(emails.slice(0, mostAddresses).join(','))
  const { data, error } = useQuery({
    queryKey: [...organizationKey(organizationId), 'check-invitations', settled],
    queryFn: () => call('POST /organization/check-invitations', { body: { organizationId, emails: settled.split(',') } }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
  const states = useMemo(() => new Map((data ?? []).map(({ email, state }) => [email, state])), [data])
  return { states, error }
}

/** Choices for single addresses. */
interface Choices {
  readonly roles: Readonly<Record<string, string>>
  readonly renewed: readonly string[]
}
const noChoices: Choices = { roles: {}, renewed: [] }

export function useDrafts() {
  const { id, roles } = useOrganization()
  const grantable = roles.filter(({ mayGrant }) => mayGrant).map(({ role }) => role)
  const [text, setText] = useState('')
  const [isFinished, setFinished] = useState(false)
  const [roleForAll, setRoleForAll] = useState(grantable.includes('member') ? 'member' : (grantable.at(-1) ?? ''))
  const [choices, setChoices] = useState(noChoices)
  // A word that is still typed is not shown as a wrong address.
  const addresses = useMemo(() => readAddresses(isFinished ? text : completedPart(text)), [text, isFinished])
  const valid = useMemo(() => addresses.flatMap(({ email, isValid }) => (isValid ? [email] : [])), [addresses])
  const { states, error } = useStates(id, valid)
  const rows: readonly Row[] = addresses.map(({ email, isValid }) => ({
    email,
    state: isValid ? (states.get(email) ?? 'unchecked') : 'invalid',
    role: choices.roles[email] ?? roleForAll,
    isRenewal: choices.renewed.includes(email),
  }))
  const sendable: readonly Draft[] =
    roleForAll === ''
      ? []
      : rows
          .filter(({ state, isRenewal }) => state === 'new' || state === 'unchecked' || (state === 'invited' && isRenewal))
          .map(({ email, role, state }) => ({ email, role, resend: state === 'invited' }))
  const keep = (kept: readonly string[]) => setText(kept.join(', '))
  return {
    text,
    setText: (next: string) => {
      setText(next)
      setFinished(false)
    },
    /** The last word is typed completely. */
    finish: () => setFinished(true),
    rows,
    sendable,
    addressCount: rows.length,
    skipped: rows.length - sendable.length,
    checkError: error,
    roles: grantable,
    roleForAll,
    setRoleForAll: (role: string) => {
      setRoleForAll(role)
      setChoices({ ...choices, roles: {} })
    },
    setRole: (email: string, role: string) => setChoices({ ...choices, roles: { ...choices.roles, [email]: role } }),
    setRenewal: (email: string, isRenewal: boolean) => {
      const others = choices.renewed.filter((one) => one !== email)
      setChoices({ ...choices, renewed: isRenewal ? [...others, email] : others })
    },
    remove: (email: string) => keep(rows.map((row) => row.email).filter((one) => one !== email)),
    keepUnsent: ({ sent }: Sent) => keep(rows.map((row) => row.email).filter((one) => !sent.includes(one))),
  }
}
export type Drafts = ReturnType<typeof useDrafts>
