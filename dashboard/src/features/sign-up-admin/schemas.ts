import { z } from 'zod'

export const newInviteLink = z.object({
  label: z.string().max(200, 'PAYLOAD_TOO_LARGE'),
  maxUses: z.string().regex(/^[1-9]\d{0,4}$|^100000$/, 'VALIDATION_ERROR'),
  days: z.string(),
  role: z.string(),
  organization: z.string().max(255, 'PAYLOAD_TOO_LARGE'),
})
