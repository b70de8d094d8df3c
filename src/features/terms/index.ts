/** Terms of service and other documents with versions: accepted at sign-up, and demanded by each sign-in until they are. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { Listeners } from '../../core/events.ts'
import { type Job, ofAccount, settings, type UserFields } from '../../core/feature.ts'
import { deleteInBatches, neverAborted, sweepEnded } from '../../core/sweep.ts'
import type { Config } from '../index.ts'
import type { AllRevoked } from '../sessions/index.ts'
import { acceptAtSignUp, acceptedColumn, currentAmong, keepProofs } from './acceptance.ts'
import { administrationRoutes } from './administration.ts'
import { documentView } from './challenge.ts'
import { readDocuments } from './documents.ts'
import { leavingRoutes } from './leaving.ts'
import { acceptedVersions, userRoutes } from './routes.ts'

export { exportSources, listAcceptances, permissions, readStatus } from './administration.ts'
export { challenge } from './challenge.ts'
export { checkConfig, config } from './config.ts'
export { readDocuments } from './documents.ts'
export { errors, indexes, secretUses, tables } from './model.ts'

export const area = 'Terms'

export const enabled = ({ terms }: Config): boolean => terms.enabled

export const auditActions = {
  'terms.accepted': ofAccount('A user accepted terms; `documents` are their ids and versions'),
  'terms.postponed': ofAccount('A user signed in without accepting terms, which may still be postponed'),
  'terms.declined': ofAccount('A user declined terms, and was not signed in'),
}

/** With all versions, because which one is in force depends on the time. */
const known = documentView.pick({ id: true, version: true, title: true, url: true }).extend({
  requiredFrom: z
    .string()
    .nullable()
    .meta({
      description: 'From when it is in force, if no later one is; null: since ever',
      examples: ['2027-01-31T00:00:00.000Z'],
    }),
})

export const publicSettings = settings(
  {
    terms: z
      .object({ documents: z.array(known), atSignUp: z.enum(['checkbox', 'sentence']) })
      .nullable()
      .meta({ description: 'Documents that users accept; null: none' }),
  },
  (config) => {
    if (!config.terms.enabled || config.terms.documents.length === 0) return { terms: null }
    const documents = readDocuments(config).documents.map(({ id, version, title, url, requiredFrom }) => ({
      ...{ id, version, title, url, requiredFrom },
    }))
    return { terms: { documents, atSignUp: config.terms.atSignUp } }
  },
)

const given = z.object({ terms: acceptedVersions.optional() })

export const userFields: UserFields = {
  shape: (_config, source) => (source === 'sign-up' ? given.shape : {}),
  read: async (app, body, source) => {
    const { terms } = source === 'sign-up' ? given.parse(body) : {}
    return terms ? { termsAccepted: acceptedColumn({}, currentAmong(app, terms)) } : {}
  },
}

async function endChallenges(app: App, { userId, before, signal = neverAborted }: AllRevoked): Promise<void> {
  if (userId === undefined) return void (await deleteInBatches(app, 'termsChallenge', before, signal))
  const waiting = app.db.deleteFrom('termsChallenge').where('userId', '=', userId)
  await (before ? waiting.where('createdAt', '<', before) : waiting).execute()
}

export const on: Listeners = {
  'user.created': (tx, { user }) => acceptAtSignUp(tx, user),
  'user.deleting': (tx, { userId }) => keepProofs(tx, userId),
  // So that a thief whose sign-in waits does not continue it.
  'all-sessions.revoked': endChallenges,
}

const sweepChallenges: Job['run'] = (app, signal) => sweepEnded(app, signal, { table: 'termsChallenge', column: 'expiresAt' })

export const jobs = { termsChallenges: { every: 3600, run: sweepChallenges } }

export const routes = { ...userRoutes, ...leavingRoutes, ...administrationRoutes }
