/** What the calls of codes have in common. */
import { z } from 'zod'
import { ApiError } from '../../core/errors.ts'
import { isEmailAddress } from '../../lib/text.ts'
import type { Config } from '../index.ts'
import { errors as userErrors } from '../users/index.ts'

export const rateLimit = ({ emailOTP }: Config) => emailOTP.rateLimit
export const otp = z
  .string()
  .max(64)
  .meta({ examples: ['482913'] })
export const success = z.object({ success: z.literal(true) })
export const done = { success: true } as const

/** @returns in lower case @throws ApiError INVALID_EMAIL */
export function requireAddress(email: string): string {
  if (!isEmailAddress(email)) throw new ApiError(userErrors.INVALID_EMAIL)
  return email.toLowerCase()
}

/** The `responseHeaders` of calls that send a code. */
export const marksBrowser = { 'set-cookie': 'A cookie of the browser that the code belongs to' } as const
