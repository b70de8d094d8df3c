import { z } from 'zod'

export const explainInput = z.object({ subject: z.string().trim().min(1, 'VALIDATION_ERROR').max(320, 'PAYLOAD_TOO_LARGE') })
