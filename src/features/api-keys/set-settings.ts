/** What pages must know of the sets of keys. */
import { z } from 'zod'
import type { Config } from '../index.ts'
import { defaultSetId, isOfOrganizations, type KeySet } from './key-sets.ts'

export const setSettings = z.object({
  configId: z.string().meta({ examples: ['default'] }),
  header: z
    .string()
    .nullable()
    .describe('Header that carries a key; null: requests with a key are not those of its owner')
    .meta({ examples: ['x-api-key'] }),
  name: z.object({ minLength: z.int(), maxLength: z.int() }),
  prefix: z.object({
    minLength: z.int(),
    maxLength: z.int(),
    default: z
      .string()
      .nullable()
      .meta({ examples: ['acme_'] }),
  }),
  expiration: z.object({
    isCustom: z.boolean().describe('Whether users may choose it'),
    minDays: z.int(),
    maxDays: z.int(),
    defaultDays: z.int().nullable(),
  }),
})

const daySeconds = 86_400

/** Whole days for the form: of a shorter or longer range it offers none. */
const expirationOf = ({ keyExpiration }: KeySet) => ({
  isCustom: !keyExpiration.disableCustomExpiresTime,
  minDays: Math.ceil(keyExpiration.minExpiresIn),
  maxDays: Math.floor(keyExpiration.maxExpiresIn),
  defaultDays: keyExpiration.defaultExpiresIn === null ? null : Math.round(keyExpiration.defaultExpiresIn / daySeconds),
})

function describeSet(set: KeySet): z.input<typeof setSettings> {
  const isCredential = !set.disableSessionForAPIKeys && !set.customAPIKeyGetter && !isOfOrganizations(set)
  return {
    configId: set.configId,
    header: isCredential ? ([set.apiKeyHeaders].flat()[0] ?? null) : null,
    name: { minLength: set.minimumNameLength, maxLength: set.maximumNameLength },
    prefix: {
      ...{ minLength: set.minimumPrefixLength, maxLength: set.maximumPrefixLength },
      default: set.defaultPrefix ?? null,
    },
    expiration: expirationOf(set),
  }
}

/** The sets whose keys belong to users, or to organizations. */
export const describeSets = (apiKey: Config['apiKey'], references: KeySet['references']): z.input<typeof setSettings>[] =>
  [{ ...apiKey, configId: defaultSetId }, ...apiKey.configurations]
    .filter((set) => set.references === references)
    .map(describeSet)
