import { z } from 'zod'
import { isSlug, normalizeSlug } from '../../../../src/lib/text.ts'
import { required } from '../../components/schemas.ts'

const isURL = (text: string) => text === '' || /^https?:$/.test(URL.parse(text)?.protocol ?? '')
/** @param current the slug that the organization has, which may be of another form */
const organizationShape = (current?: string) => ({
  name: required.max(255, 'PAYLOAD_TOO_LARGE'),
  slug: required
    .max(255, 'PAYLOAD_TOO_LARGE')
    .refine((text) => text === current || text === '' || isSlug(text), 'INVALID_SLUG')
    .transform((text) => (text === current ? text : normalizeSlug(text))),
})
export const organization = z.object(organizationShape())
export const organizationSettings = (slug: string) =>
  z.object({ ...organizationShape(slug), logo: z.string().max(2048, 'PAYLOAD_TOO_LARGE').refine(isURL, 'INVALID_URL') })

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
/** Empty: no metadata. */
export const organizationMetadata = z.object({
  metadata: z
    .string()
    .refine((text) => text.trim() === '' || isObjectText(text), 'INVALID_JSON')
    .refine((text) => text.length <= 16_000, 'PAYLOAD_TOO_LARGE'),
})
/** `off`, or days. */
export const twoFactorPolicy = z.object({ policy: z.string(), showAdministrators: z.boolean() })
export const teamNameOnly = z.object({ name: required.max(255, 'PAYLOAD_TOO_LARGE') })
