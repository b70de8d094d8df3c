/** Columns, options and errors of invite links. */
import type { Selectable } from 'kysely'
import { z } from 'zod'
import { type ConfigIssue, group, section } from '../../core/config.ts'
import { cookieOptions } from '../../core/cookies.ts'
import { defineErrors } from '../../core/errors.ts'
import { id, index, integer, nullable, secret, string, timestamp, unique } from '../../core/table.ts'
import { hostedPath } from '../dashboard/index.ts'
import type { Config, Database } from '../index.ts'

export const config = {
  signUp: group('Who may sign up', {
    inviteLinks: section('Links with which administrators invite new users; `signUp.mode: "invite"` enables them too', {
      expiresIn: z
        .int()
        .min(60)
        .max(31_536_000)
        .default(604_800)
        .describe('Lifetime of a link in seconds, when it is created without one'),
      url: z
        .url({ protocol: /^https?$/ })
        .max(2048)
        .optional()
        .describe(
          'Page of the application that gets the parameter `token` and calls `/invite-link/open`; default: the hosted page /join',
        ),
    }),
  }),
  ...cookieOptions('invite_link'),
}

export const enabled = ({ signUp }: Config): boolean => signUp.inviteLinks.enabled || signUp.mode === 'invite'

export const checkConfig = (config: Config): ConfigIssue[] =>
  config.signUp.inviteLinks.url === undefined && hostedPath(config, '/join') === null
    ? [
        {
          id: 'invite-links-without-page',
          path: 'signUp.inviteLinks.url',
          message: 'Invite links lead to no page, because the hosted pages are disabled.',
          hint: 'Set signUp.inviteLinks.url to a page of the application, or enable the hosted pages.',
        },
      ]
    : []

/** A role or an organization may be gone when a link is used, so that neither is a foreign key. */
export const tables = {
  inviteLink: {
    id: id(),
    tokenHash: secret(unique(string({ length: 100 }))),
    label: nullable(string({ length: 200 })),
    maxUses: integer(),
    uses: integer({ default: 0 }),
    role: nullable(string({ length: 255 })),
    organizationId: nullable(string({ length: 36 })),
    organizationRole: nullable(string({ length: 255 })),
    /** ID of the administrator, who may be deleted since; null: an operator. Not a foreign key: one may have created any number. */
    createdBy: nullable(string({ length: 36 })),
    createdAt: timestamp(),
    expiresAt: timestamp(),
    revokedAt: nullable(timestamp()),
  },
}

export const indexes = {
  inviteLink: [index('createdAt', 'id'), index('organizationId'), index('expiresAt')],
}

export const secretUses = {
  inviteLinks: { table: 'inviteLink', column: 'tokenHash', noun: 'invite link' },
} as const

export const errors = defineErrors({
  INVITE_LINK_NOT_FOUND: [404, 'Invite link not found'],
  YOU_ARE_NOT_ALLOWED_TO_CREATE_INVITE_LINKS: [403, 'You are not allowed to create invite links'],
  YOU_ARE_NOT_ALLOWED_TO_LIST_INVITE_LINKS: [403, 'You are not allowed to list invite links'],
  YOU_ARE_NOT_ALLOWED_TO_REVOKE_INVITE_LINKS: [403, 'You are not allowed to revoke invite links'],
})

export const permissions = { inviteLink: ['list', 'create', 'revoke'] } as const

export const auditActions = {
  'invite-link.created': 'An invite link was created',
  'invite-link.revoked': 'An invite link was revoked',
  'invite-link.used': 'A user signed up, or joined an organization, with an invite link',
}

/** Most uses of one link. */
export const mostUses = 100_000

export type InviteLinkRow = Selectable<Database['inviteLink']>

export const states = ['active', 'used', 'expired', 'revoked'] as const

export function stateOf({ now }: { readonly now: () => Date }, link: InviteLinkRow): (typeof states)[number] {
  if (link.revokedAt !== null) return 'revoked'
  if (link.uses >= link.maxUses) return 'used'
  return link.expiresAt <= now() ? 'expired' : 'active'
}
