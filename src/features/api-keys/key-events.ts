/** What the audit log records about keys: in the log of their user, or of their organization. */
import type { AuditEvent } from '../audit/index.ts'
import type { ApiKeyRow } from './model.ts'

type Owned = Pick<ApiKeyRow, 'id' | 'userId'> & Partial<Pick<ApiKeyRow, 'organizationId'>>

export const keyEvent = (
  what: 'created' | 'updated' | 'deleted' | 'expired',
  { id, userId, organizationId = null }: Owned,
  details: object,
): AuditEvent =>
  organizationId === null
    ? { action: `api-key.${what}`, target: { type: 'api-key', id }, userId, details: { ...details } }
    : { action: `organization-key.${what}`, target: { type: 'api-key', id }, organizationId, details: { ...details } }
