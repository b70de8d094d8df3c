import { z } from 'zod'
import { required } from '../../components/schemas.ts'

const revokeOtherSessions = z.boolean()
export const passwordProof = z.object({ password: required, revokeOtherSessions })
/** Of users who have no password. */
export const withoutPassword = z.object({ password: z.string(), revokeOtherSessions })
export const firstCode = z.object({ code: required, revokeOtherSessions })
export const backupCode = z.object({ code: required })
export const passkeyName = z.object({ name: required })
export const setupCode = z.object({ code: required })
