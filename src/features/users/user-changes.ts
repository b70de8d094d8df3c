/** What the audit log records of an update of a user. */
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import type { AuditEvent } from '../audit/index.ts'
import { ownedShape } from './user-fields.ts'

/** `user`: with the new email address. `wasVerified`: the former one. */
export interface EmailChange {
  readonly userId: string
  readonly user: UserRow
  readonly formerEmail: string
  readonly wasVerified: boolean
}

export const emailChange = ({ email: formerEmail, emailVerified: wasVerified }: UserRow, user: UserRow): EmailChange => ({
  ...{ userId: user.id, user, formerEmail, wasVerified },
})

/** The user before and after an update of their email address, or of its verification. */
interface EmailUpdate {
  readonly former: UserRow
  readonly user: UserRow
}

/** Columns that other features added and that are not fields of users are recorded by them. @param email null: the update has neither */
export function describeChanges({ config, features }: App, id: string, draft: object, email: EmailUpdate | null): AuditEvent[] {
  const target = { type: 'user', id }
  const { isChanged, isVerified, isUnverified } = compareEmails(email)
  const added = [...Object.keys(config.user.additionalFields), ...Object.keys(ownedShape(config, features, 'operator'))]
  const own = ['name', 'image', ...added, ...(isUnverified ? ['emailVerified'] : [])]
  const fields = own.filter((name) => Object.hasOwn(draft, name))
  const events: AuditEvent[] = fields.length > 0 ? [{ action: 'user.updated', target, details: { fields } }] : []
  if (isChanged) events.push({ action: 'user.email-changed', target })
  if (isVerified) events.push({ action: 'user.email-verified', target })
  return events
}

function compareEmails(email: EmailUpdate | null) {
  if (!email) return { isChanged: false, isVerified: false, isUnverified: false }
  const { former, user } = email
  const isChanged = former.email !== user.email
  const isVerified = !former.emailVerified && user.emailVerified
  return { isChanged, isVerified, isUnverified: former.emailVerified && !user.emailVerified && !isChanged }
}
