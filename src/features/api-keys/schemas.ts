/** What the calls for API keys accept. */
import { z } from 'zod'
import { fitsAsJSON } from '../../lib/objects.ts'

export const maxInteger = 2_147_483_647
const maxJSONLength = 16_000
export const fits = (value: unknown): boolean => fitsAsJSON(value, maxJSONLength)

export const permissions = z.record(z.string().max(64), z.array(z.string().max(64)).max(64)).refine(fits)
export const keyId = z.string().max(255)
export const ownerId = z.union([z.string().max(255), z.number().transform(String)])
export const configId = z
  .string()
  .max(255)
  .optional()
  .describe('The set of the key; default: that of the section `apiKey`')
  .meta({ examples: ['default'] })
