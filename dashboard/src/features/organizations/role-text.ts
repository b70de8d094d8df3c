/** Roles in the words of the pages. */
import { sourceLocale, useLocale, useMessages } from '../../i18n/messages.ts'
import { messages } from './invitation-screens.ts'

const known = new Map([
  ['owner', 'roleOwner'],
  ['admin', 'roleAdmin'],
  ['member', 'roleMember'],
] as const)

/** The names of a comma-separated list of roles. Roles of the configuration have the names that they were given. */
export function useRoleText(): (role: string | null) => string {
  const t = useMessages(messages)
  const { locale } = useLocale()
  const nameOf = (role: string) => {
    const key = known.get(role as 'owner')
    return key ? t(key) : role
  }
  const list = new Intl.ListFormat(sourceLocale(locale))
  return (role) => list.format((role ?? '').split(',').map(nameOf))
}
