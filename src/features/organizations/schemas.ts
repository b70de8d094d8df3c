/** Input of the calls, shared with forms in a browser: without imports of Node. */
import { z } from 'zod'
import { fitsAsJSON, mostLevels } from '../../lib/objects.ts'
import { isImageURL, isSlug, normalizeSlug } from '../../lib/text.ts'

/** 255 characters at most, as the columns have. */
export const organizationName = z.string().min(1).max(255)

/** A new slug. Stored ones may have another form, from before this rule. */
export const newSlug = z.string().max(255).refine(isSlug).transform(normalizeSlug)
/** The slug of an organization that exists. */
export const organizationSlug = z.string().min(1).max(255)

/** Of the policy of second factors. */
export const graceDays = z.int().min(0).max(365)
export const showAdministrators = z
  .boolean()
  .describe('Whether a member who has lost their second factor sees the names of administrators; default: unchanged')

export const teamName = z.string().min(1).max(255)

/** An id of any kind; longer text matches nothing. */
export const anyId = z.string().max(255)

/** Teams that one invitation may name. */
const mostTeams = 25

/** One team, several, or a list separated by commas: read as IDs, each once. */
export const teamInput = z
  .union([z.string().max(1023), z.array(anyId).max(mostTeams)])
  .nullish()
  .transform((given) => [...new Set([given ?? []].flat().join(',').split(',').filter(Boolean))])
  .refine((ids) => ids.length <= mostTeams && ids.join(',').length <= 1023)
  .describe('ID of a team, or of several: a list, also separated by commas')

/** Stored as text of at most 16,000 characters. */
export const metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => fitsAsJSON(value, 16_000), `Expected at most 16,000 characters of JSON, in ${mostLevels} levels`)
  .meta({ examples: [{ plan: 'pro' }] })

export const logo = z
  .string()
  .max(2048)
  .refine((text) => text === '' || isImageURL(text))
