import { z } from 'zod'
import { required } from '../../components/schemas.ts'
import type { KeySet } from './data.ts'

const keyName = (settings: KeySet | undefined) => {
  const code = 'THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL'
  return settings ? required.min(settings.name.minLength, code).max(settings.name.maxLength, code) : required
}
export const apiKeyName = (settings: KeySet | undefined) => z.object({ name: keyName(settings) })
export const newApiKey = (settings: KeySet | undefined) =>
  z.object({
    name: keyName(settings),
    /** Days; empty: as configured. */
    expiration: z.string(),
    /** Empty: none. */
    prefix: z.string().regex(/^[a-zA-Z0-9_-]*$/, 'VALIDATION_ERROR'),
  })
