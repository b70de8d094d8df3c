/** Who may sign up: lists of email addresses and domains, disposable domains, and whether sign-up is open (docs/sign-up.md). */
import { z } from 'zod'
import { type ConfigIssue, group } from '../../core/config.ts'
import { event, type Listeners } from '../../core/events.ts'
import { settings } from '../../core/feature.ts'
import {
  emailChange,
  isOwnChange,
  requireSignUp,
  type SignUpAttempt,
  type SignUpRejection,
  type SignUpRule,
  errors as signUpErrors,
} from '../../core/sign-up.ts'
import { recordEvent } from '../audit/index.ts'
import type { Config } from '../index.ts'
import { recordRejection } from './record.ts'
import { findRejection, hasRules, readRules } from './rules.ts'
import { signUpModes } from './view.ts'

export { policyView, readPolicy } from './view.ts'

export const errors = signUpErrors

const entries = z.array(z.string().min(1).max(320)).max(10_000).default([])

export const config = {
  signUp: group('Who may sign up, by every method (docs/sign-up.md)', {
    mode: z
      .enum(signUpModes)
      .default('open')
      .describe(
        '`invite`: only with an invite link, or an invitation to an organization; `waiting-list`: after an approval too; `closed`: administrators and operators create users',
      ),
    allow: entries.describe(
      'Email addresses and domains that may sign up, all others may not: `ann@acme.example`, `*@acme.example`, `*.acme.example` for subdomains; with `*` too, the list only makes exceptions to `disposable`',
    ),
    allowFile: z.string().min(1).optional().describe('File with more entries of `allow`, one a line; `#` starts a comment'),
    block: entries.describe('Email addresses and domains that must not sign up; they come before `allow`'),
    blockFile: z.string().min(1).optional().describe('File with more entries of `block`, one a line; `#` starts a comment'),
    disposable: z
      .enum(['allow', 'block'])
      .default('allow')
      .describe('`block`: reject domains of disposable mailboxes, by a list that is part of Latchkey'),
  }),
}

export const checkConfig = (config: Config): readonly ConfigIssue[] => readRules(config).issues

export const publicSettings = settings(
  {
    signUp: z.object({
      mode: z.enum(signUpModes),
      invitationsPass: z
        .boolean()
        .meta({ description: 'Whether users who are invited to an organization may sign up nevertheless' }),
    }),
  },
  ({ organization, signUp: { mode, invitationsPass } }) => ({
    signUp: { mode, invitationsPass: invitationsPass && organization.enabled },
  }),
)

export const admitsSignUp: SignUpRule = {
  rejects: ({ config }, attempt) => (hasRules(config) ? findRejection(config, attempt) : null),
}

export const events = {
  /** A user was not created, or an email address not changed; perhaps in a transaction that is then undone. */
  'sign-up.rejected': event<{ readonly attempt: SignUpAttempt; readonly rejection: SignUpRejection }>(),
}

export const auditActions = {
  'sign-up.rejected':
    'The sign-up policy rejected a new user or a new email address; the details have the reason and the option, and the domain and a keyed hash of the address',
  'sign-up.waived': 'A user was created although a rule of the sign-up policy rejects them, such as with an invitation',
  'sign-up.overridden': 'An administrator or operator created a user although the sign-up policy rejects them',
}

export const on: Listeners = {
  'sign-up.rejected': (app, { attempt, rejection }) => recordRejection(app, attempt, rejection),
  'user.created': async (tx, { user, decision }) => {
    if (!decision?.rejection || !decision.waiver) return
    const { rejected: reason, setting } = decision.rejection
    const { waived } = decision.waiver
    const action = waived === 'override' ? 'sign-up.overridden' : 'sign-up.waived'
    await recordEvent(tx, { action, target: { type: 'user', id: user.id }, details: { reason, setting, by: waived } })
  },
  // However it is changed, like `insertUser` for new users.
  'user.email-changed': async (tx, { userId, user: { email } }) => {
    if (isOwnChange(tx, userId)) await requireSignUp(tx, emailChange({ id: userId }, email))
  },
}
