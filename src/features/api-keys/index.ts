/**
 * API keys: credentials of users for programs, with their own expiration, permissions and limits. Servers of the operator verify them on
 * the private listener; requests with a key act as its owner.
 */
import { z } from 'zod'
import type { Listeners } from '../../core/events.ts'
import { type Feature, type Job, ofAccount, settings } from '../../core/feature.ts'
import type { CallContext } from '../../core/request.ts'
import { presentsKey } from './credential.ts'
import { countKeys, deleteExpired, deleteKeys } from './keys.ts'
import { ownRoutes } from './routes.ts'
import { serverRoutes } from './server-routes.ts'
import { describeSets, setSettings } from './set-settings.ts'

export { checkConfig, config, enabled } from './config.ts'
export { authenticate } from './credential.ts'
export type { KeyOwner } from './key-draft.ts'
export { hashKey } from './key-format.ts'
export { findKeys, type KeyWithOwner, streamKeys } from './key-list.ts'
export { isOfOrganizations, keySets, setOf } from './key-sets.ts'
export { createKey, createOrganizationKey, deleteKeys, deleteOrganizationKeys } from './keys.ts'
export { mails } from './mails.ts'
export { type ApiKeyRow, describeKey, errors, indexes, type Permissions, secretUses, tables } from './model.ts'
export type { NewKey } from './rules.ts'
export { describeSets, setSettings } from './set-settings.ts'

export const routes = { ...ownRoutes, ...serverRoutes }

export const area = 'API keys'

export const plugin = 'api-key'

export const securitySchemes: NonNullable<Feature['securitySchemes']> = ({ apiKey }) => {
  const [name] = [apiKey.apiKeyHeaders].flat()
  const isHeader = !apiKey.disableSessionForAPIKeys && !apiKey.customAPIKeyGetter && name !== undefined
  return isHeader ? { apiKey: { type: 'apiKey', in: 'header', name, description: 'An API key of the user' } } : {}
}

/** Each request with a key uses it, also for a call that needs no session, so that an invalid key is always noticed (contract 06 §1). */
export const before = {
  '*': (ctx: CallContext) =>
    !ctx.isPrivileged && presentsKey(ctx) && ctx.credential()?.kind === 'api-key'
      ? ctx.identify().then(() => undefined)
      : undefined,
}

export const auditActions = {
  'api-key.created': ofAccount('An API key was created'),
  'api-key.updated': ofAccount('An API key was changed; `fields` has the names of what was changed'),
  'api-key.deleted': ofAccount('An API key was deleted; `reason` is absent when someone asked for it'),
  'api-key.expired': ofAccount('Latchkey deleted an API key that can no longer be used: `reason` is `expired` or `used-up`'),
}

export const publicSettings = settings(
  {
    apiKeys: z
      .object({
        ...setSettings.shape,
        maximum: z.int().describe('Keys of a user'),
        sets: z.array(setSettings).describe('The sets in which users have keys; the other members describe the first one'),
      })
      .nullable(),
  },
  ({ apiKey }) => {
    const sets = describeSets(apiKey, 'user')
    const [first] = sets
    return { apiKeys: apiKey.enabled && first ? { ...first, maximum: apiKey.maximumKeysPerUser, sets } : null }
  },
)

export const jobs = { apiKeys: { every: 300, run: deleteExpired } } satisfies Record<string, Job>

export const on: Listeners = {
  /** An attacker who signed up with the email address of another person may have created keys. */
  'earlier-access.revoked': async (tx, { userId }) => ({
    apiKeysEnded: await deleteKeys(tx, userId, { reason: 'email-verified' }),
  }),
  'account.locking': async (tx, { userId, isPreview }) => ({
    apiKeys: isPreview ? await countKeys(tx, userId) : await deleteKeys(tx, userId, { reason: 'account-locked' }),
  }),
  /** A thief of a session may have created keys, which would outlive its end. */
  'password.changing': async (tx, { userId, isRecovery }) => {
    if (!isRecovery || tx.config.apiKey.keepOnPasswordReset) return { apiKeysEnded: 0, apiKeysLeft: await countKeys(tx, userId) }
    return { apiKeysEnded: await deleteKeys(tx, userId, { reason: 'password-changed' }), apiKeysLeft: 0 }
  },
}
