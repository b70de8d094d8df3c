import { z } from 'zod'
import { newPasswordOf, type PasswordSettings, required } from '../../components/schemas.ts'

export const passwordChange = (settings: PasswordSettings) =>
  z.object({ currentPassword: required, newPassword: newPasswordOf(settings), revokeOtherSessions: z.boolean() })
