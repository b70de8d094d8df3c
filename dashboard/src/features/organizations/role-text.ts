/** Roles in the words of the pages. */
import { sourceLocale, useLocale, useMessages } from '../../i18n/messages.ts'
import { roleNames } from '../../organizations.ts'
import { messages } from './invitation-screens.ts'

const known = { owner: 'roleOwner', admin: 'roleAdmin', member: 'roleMember' } as const
const isKnown = (role: string): role is keyof typeof known => Object.hasOwn(known, role)

/** The names of a comma-separated list of roles. Roles of the configuration have the names that they were given. */
export function useRoleText(): (role: string | null) => string {
  const t = useMessages(messages)
  const { locale } = useLocale()
  const list = new Intl.ListFormat(sourceLocale(locale))
  return (role) => list.format(roleNames(role).map((name) => (isKnown(name) ? t(known[name]) : name)))
}
