/** The calls that show second factors and trusted browsers, and that cancel a challenge. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { anyone, session } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { transaction } from '../../core/transaction.ts'
import { findRecoveryContacts } from '../organizations/index.ts'
import { authenticationOf } from '../sessions/index.ts'
import { cancelChallenge } from './abandoned.ts'
import { countBackupCodes, findRehearsalDate } from './backup-codes.ts'
import { clearChallengeCookie, expiresIn, findChallenge, type PendingChallenge } from './challenge.ts'
import { channels } from './config.ts'
import { requirementOf } from './due.ts'
import { kindsOf } from './enrolment.ts'
import { describeMethods, lastMethodOf, methodsOf, recipientOf, shortened } from './methods.ts'
import { errors, factorView, findFactors, hasSecondFactor, methodView } from './model.ts'
import { findPendingReset } from './pending-resets.ts'
import type { Requirement } from './rules.ts'
import { recoveryOf } from './self-service.ts'
import { codeChannel, offeredIn } from './setup.ts'
import { challengeName } from './subject.ts'
import { endTrust, listTrustedDevices, mayTrust } from './trusted-devices.ts'
import { rateLimit } from './verify-routes.ts'

const succeeded = z.object({ status: z.literal(true) })
const challengeToken = z
  .string()
  .max(100)
  .optional()
  .meta({ examples: ['2fa-aBcDeFgHiJkLmNoPqRsT'] })

/** Of a user who has time to set up a second factor. */
export const twoFactorSetup = z
  .object({ dueAt: isoDate })
  .meta({ description: 'A rule demands a second factor of the user, who has none yet: until when they must set one up' })

export const requiredView = z
  .object({
    by: z.string().meta({ examples: ['role:admin'] }),
    dueAt: isoDate.nullable().meta({ description: 'Null when the rule is satisfied' }),
    methods: z.array(z.string()).meta({ description: 'What satisfies it', examples: [['passkey', 'totp']] }),
  })
  .meta({ description: 'The rule that demands a second factor of the user' })

export const describeRequirement = ({ reason, dueAt, methods }: Requirement) =>
  reason === null ? null : { by: reason, dueAt, methods: [...methods] }

const expiryOf = (app: App, { expiresAt }: PendingChallenge) => ({
  expiresAt,
  expiresIn: Math.floor((expiresAt.getTime() - app.now().getTime()) / 1000),
})

async function describeSetup(app: App, challenge: PendingChallenge) {
  const { user, codeProvenAt } = challenge
  const channel = codeChannel(app, user)
  const to = recipientOf(user, channel) ?? user.email
  return {
    ...{ kind: 'setup' as const, email: shortened(user.email), ...expiryOf(app, challenge), trustDevice: false },
    methods: await offeredIn(app, { challenge, user, name: challengeName(challenge) }),
    required: describeRequirement(await requirementOf(app, user)),
    codeTo: codeProvenAt === null ? shortened(to) : null,
    ...{ recovery: null, resetAt: null, failures: challenge.failures },
  }
}
/** Whom a user who has lost their factors can ask. */
const administratorsView = z
  .array(
    z.object({
      organization: z.string().meta({ description: 'Its name', examples: ['Acme'] }),
      names: z.array(z.string()).meta({ examples: [['Ada Lovelace']] }),
    }),
  )
  .meta({ description: 'Only with `administrators=true`: of the organizations of the user whose policy shows them' })

const recoveryView = z.object({
  hours: z.int().meta({ description: 'Until the reset takes effect' }),
  channels: z.array(z.object({ channel: z.enum(channels), to: z.string().meta({ examples: ['a…@example.com'] }) })),
})

export const statusRoutes = {
  'GET /two-factor/status': route({
    summary: 'Get the second factors of the user',
    description: 'Returns the second factors of the current user, and how their session was authenticated.',
    access: session(),
    sensitive: true,
    returns: z.object({
      enabled: z.boolean(),
      methods: z.array(factorView),
      enabledMethods: z
        .array(z.enum(['totp', 'otp', 'passkey']))
        .meta({ description: 'What `/two-factor/disable` removes; passkeys count as a factor in addition, while there is one' }),
      backupCodesLeft: z.int(),
      rehearsalAt: isoDate
        .nullable()
        .meta({ description: 'When the user should try a backup code, with `/two-factor/rehearse-backup-code`' }),
      trustedDevices: z.int(),
      required: requiredView.nullable(),
      twoFactorSetup: twoFactorSetup.optional(),
      session: z.object({
        acr: z.string().meta({ examples: ['urn:latchkey:acr:2'] }),
        amr: z.array(z.string()).meta({ examples: [['pwd', 'otp', 'mfa']] }),
        authenticatedAt: isoDate,
      }),
    }),
    handler: async (ctx) => {
      const row = await findFactors(ctx, ctx.user.id)
      const requirement = await requirementOf(ctx, ctx.user)
      return {
        enabled: hasSecondFactor(ctx.user),
        methods: await describeMethods(ctx, ctx.user.id, row, await methodsOf(ctx, ctx.user)),
        enabledMethods: kindsOf(row),
        backupCodesLeft: await countBackupCodes(ctx, ctx.user.id),
        rehearsalAt: await findRehearsalDate(ctx, ctx.user.id),
        trustedDevices: (await listTrustedDevices(ctx, ctx.user.id)).length,
        required: describeRequirement(requirement),
        ...(requirement.dueAt && { twoFactorSetup: { dueAt: requirement.dueAt } }),
        session: authenticationOf(ctx, ctx.session),
      }
    },
  }),
  'GET /two-factor/challenge': route({
    summary: 'Get the pending challenge',
    description: 'Returns how the pending sign-in of this browser can be completed. Fails when there is none.',
    access: anyone(),
    acceptsPending: ['verify', 'setup'],
    usesCredential: true,
    query: z.object({
      administrators: z
        .enum(['true', 'false'])
        .optional()
        .describe('`true`: also returns the names of administrators whom a user can ask who has lost their second factor'),
    }),
    returns: z.object({
      kind: z.enum(['verify', 'setup']),
      email: z.string().meta({ description: 'Shortened', examples: ['a…@example.com'] }),
      expiresAt: isoDate,
      expiresIn,
      methods: z.array(methodView),
      trustDevice: z.boolean(),
      required: requiredView.nullable().optional().meta({ description: 'Of a set-up: why it is demanded' }),
      codeTo: z
        .string()
        .nullable()
        .optional()
        .meta({ description: 'Of a set-up: where the code was sent that must be given first', examples: ['a…@example.com'] }),
      recovery: recoveryView.nullable().meta({ description: 'How a reset can be requested; null: not by the user' }),
      resetAt: isoDate.nullable().meta({ description: 'When a reset takes effect that waits' }),
      administrators: administratorsView.optional(),
      failures: z.int().meta({ description: 'Wrong codes of the app, and wrong backup codes' }),
    }),
    errors: [errors.INVALID_TWO_FACTOR_COOKIE],
    handler: async (ctx) => {
      const pending = await findChallenge(ctx, undefined, null)
      if (pending?.kind === 'setup') return describeSetup(ctx, pending)
      if (!pending) {
        clearChallengeCookie(ctx)
        throw new ApiError(errors.INVALID_TWO_FACTOR_COOKIE)
      }
      return {
        kind: 'verify' as const,
        email: shortened(pending.user.email),
        ...expiryOf(ctx, pending),
        methods: await methodsOf(ctx, pending.user, { proof: pending.first, last: lastMethodOf(ctx) }),
        trustDevice: mayTrust(ctx, pending.user),
        recovery: recoveryOf(ctx, pending),
        resetAt: (await findPendingReset(ctx, pending.userId))?.effectiveAt ?? null,
        ...(ctx.query.administrators === 'true' && { administrators: await findRecoveryContacts(ctx, pending.userId) }),
        failures: pending.failures,
      }
    },
  }),
  'POST /two-factor/cancel': route({
    summary: 'Cancel the pending challenge',
    description: 'Ends the pending sign-in of this browser. Succeeds also when there is none.',
    access: anyone(),
    whileReadOnly: 'served',
    acceptsPending: ['verify', 'setup'],
    body: z.object({ challengeToken }).optional(),
    returns: succeeded,
    responseHeaders: { 'set-cookie': 'Deletes the cookie of the challenge' },
    rateLimit,
    handler: async (ctx) => {
      await cancelChallenge(ctx, ctx.body?.challengeToken)
      return { status: true as const }
    },
  }),
  'GET /two-factor/list-trusted-devices': route({
    summary: 'List trusted browsers',
    description: 'Returns the browsers in which the current user needs no second factor.',
    access: session(),
    sensitive: true,
    returns: z.array(
      z.object({
        id: z.string(),
        name: z.string().nullable(),
        ...{ createdAt: isoDate, lastUsedAt: isoDate, expiresAt: isoDate },
        isCurrent: z.boolean(),
      }),
    ),
    handler: (ctx) => listTrustedDevices(ctx, ctx.user.id),
  }),
  'POST /two-factor/revoke-trusted-device': route({
    summary: 'Revoke a trusted browser',
    description: 'Demands a second factor in this browser again. Succeeds also for an unknown browser.',
    access: session(),
    whileReadOnly: 'served',
    sensitive: true,
    body: z.object({ id: z.string().max(36) }),
    returns: succeeded,
    rateLimit,
    handler: async (ctx) => {
      await transaction(ctx, (tx) => endTrust(tx, ctx.user.id, { id: ctx.body.id }))
      return { status: true as const }
    },
  }),
  'POST /two-factor/revoke-trusted-devices': route({
    summary: 'Revoke all trusted browsers',
    description: 'Demands a second factor in all browsers of the current user again.',
    access: session(),
    whileReadOnly: 'served',
    sensitive: true,
    returns: succeeded,
    rateLimit,
    handler: async (ctx) => {
      await transaction(ctx, (tx) => endTrust(tx, ctx.user.id))
      return { status: true as const }
    },
  }),
}
