/** The names of roles, also on the page of an invitation. */
import { listedNames } from '../../../../src/lib/text.ts'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'

const knownRoles = { owner: 'owner', admin: 'admin', member: 'member' } as const

/** The name of a role in the language of the pages; roles of the configuration have the name that it gives them. */
export function useRoleName(): (role: string) => string {
  const t = useMessages(messages)
  return (role) => (Object.hasOwn(knownRoles, role) ? t(knownRoles[role as keyof typeof knownRoles]) : role)
}

/** The names in a comma-separated list, as a text. */
export function useRoleList(): (role: string | null) => string {
  const name = useRoleName()
  return (role) => listedNames(role).map(name).join(', ')
}
