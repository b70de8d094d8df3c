/** API keys that belong to organizations, and what their members are shown of them. `api-keys` has the calls. */
import { z } from 'zod'
import { type Feature, settings } from '../../core/feature.ts'
import { index, nullable, references } from '../../core/table.ts'
import { describeSets, setSettings } from '../api-keys/index.ts'
import { hasOrganizationKeys } from '../organizations/index.ts'

export const enabled: NonNullable<Feature['enabled']> = hasOrganizationKeys

/** The owner of a key without a user. */
export const tables = { apikey: { organizationId: nullable(references('organization')) } }

export const indexes = { apikey: [index('organizationId', 'createdAt', 'id')] }

export const auditActions = {
  'organization-key.created': 'A member created an API key of an organization',
  'organization-key.updated': 'A member changed an API key of an organization; `fields` has the names of what was changed',
  'organization-key.deleted': 'A member deleted an API key of an organization',
  'organization-key.expired':
    'Latchkey deleted an API key of an organization that can no longer be used: `reason` is `expired` or `used-up`',
}

export const publicSettings = settings(
  {
    organizationApiKeys: z
      .object({
        maximum: z.int().describe('Keys of an organization'),
        sets: z.array(setSettings).describe('The sets in which organizations have keys'),
      })
      .nullable(),
  },
  (config) => {
    const { apiKey } = config
    if (!hasOrganizationKeys(config)) return { organizationApiKeys: null }
    return { organizationApiKeys: { maximum: apiKey.maximumKeysPerOrganization, sets: describeSets(apiKey, 'organization') } }
  },
)
