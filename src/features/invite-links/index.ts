/**
 * Invite links: administrators give them to users who may sign up, also when sign-up needs an invitation. A link has a number of uses and
 * an end, and may give a role or an organization.
 */
import { z } from 'zod'
import type { Listeners } from '../../core/events.ts'
import { settings } from '../../core/feature.ts'
import { adminRoutes } from './admin-routes.ts'
import { enabled } from './model.ts'
import { routes as pageRoutes } from './routes.ts'
import { claimCarried, joinClaimed } from './use.ts'

export { createInviteLink, revokeInviteLink, streamInviteLinks } from './links.ts'
export { auditActions, checkConfig, config, enabled, errors, indexes, permissions, secretUses, stateOf, tables } from './model.ts'

export const area = 'Administration'

export { admitsSignUp } from './use.ts'

export const on: Listeners = {
  'user.creating': (tx, { user, decision, way }) => claimCarried(tx, user.id, decision, way),
  'user.created': (tx, { user }) => joinClaimed(tx, user),
}

export const routes = { ...pageRoutes, ...adminRoutes }

export const publicSettings = settings({ inviteLinks: z.boolean().describe('Whether there are invite links') }, (config) => ({
  inviteLinks: enabled(config),
}))
