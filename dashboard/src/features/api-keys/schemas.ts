import { z } from 'zod'
import type { PublicSettings } from '../../../../src/features/index.ts'
import { required } from '../../components/schemas.ts'

type KeySettings = PublicSettings['apiKeys']
const keyName = (settings: KeySettings) => {
  const code = 'THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL'
  return settings ? required.min(settings.name.minLength, code).max(settings.name.maxLength, code) : required
}
export const apiKeyName = (settings: KeySettings) => z.object({ name: keyName(settings) })
export const newApiKey = (settings: KeySettings) =>
  z.object({
    name: keyName(settings),
    /** Days; empty: as configured. */
    expiration: z.string(),
    /** Empty: none. */
    prefix: z.string().regex(/^[a-zA-Z0-9_-]*$/, 'VALIDATION_ERROR'),
  })
