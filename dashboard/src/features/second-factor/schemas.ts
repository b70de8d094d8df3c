import { z } from 'zod'
import { required } from '../../components/schemas.ts'

export const passwordOnly = z.object({ password: required })
/** Of users who have no password. */
export const withoutPassword = z.object({ password: z.string() })
export const firstCode = z.object({ code: required, revokeOtherSessions: z.boolean() })
export const backupCode = z.object({ code: required })
export const passkeyName = z.object({ name: required })
export const setupCode = z.object({ code: required })
