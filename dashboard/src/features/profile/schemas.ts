import { z } from 'zod'
import { required, userFields } from '../../components/schemas.ts'
import type { UserField } from '../../components/user-fields.tsx'

export const profile = (fields: readonly UserField[]) =>
  z.object({ name: required, username: z.string().trim(), fields: userFields(fields) })
