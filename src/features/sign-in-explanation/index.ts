/** What administrators see of the second factors and the sign-in of a user (contract 11 §12). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { permission } from '../../core/permissions.ts'
import type { UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { errors } from '../admin/index.ts'
import type { Config } from '../index.ts'
import { describePasskey, listPasskeys } from '../passkeys/index.ts'
import { describeFactors, describeRequirement, factorView, requiredView, requirementOf } from '../second-factor/index.ts'
import { findUserById } from '../users/index.ts'
import { explainSignIn } from './explanation.ts'

export { explainSignIn } from './explanation.ts'

export const area = 'Administration'
export const plugin = 'two-factor'

export const enabled = ({ admin }: Config): boolean => admin.enabled

const access = permission({ user: ['list'] }, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS)
const userId = z.string().min(1).max(255)

/** @throws ApiError USER_NOT_FOUND */
async function getUser(app: App, id: string): Promise<UserRow> {
  const user = await findUserById(app, id)
  if (!user) throw new ApiError(errors.USER_NOT_FOUND)
  return user
}

const factorsView = z.object({
  enabled: z.boolean().meta({ description: 'Whether sign-ins demand a second factor' }),
  methods: z.array(factorView),
  backupCodesLeft: z.int(),
  passkeys: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullable(),
      provider: z
        .string()
        .nullable()
        .meta({ description: 'Name of the authenticator, if it is known', examples: ['iCloud Keychain'] }),
      aaguid: z.string().nullable(),
      createdAt: isoDate.nullable(),
      addedWith: z.string().nullable(),
      lastUsedAt: isoDate.nullable(),
      suspendedAt: isoDate.nullable(),
    }),
  ),
  trustedDevices: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullable(),
      ...{ createdAt: isoDate, lastUsedAt: isoDate, expiresAt: isoDate },
    }),
  ),
  required: requiredView.nullable(),
  pendingReset: z.object({ effectiveAt: isoDate }).nullable().meta({ description: 'A reset that waits' }),
})

async function describeUserFactors(app: App, user: UserRow): Promise<z.input<typeof factorsView>> {
  const report = app.config.twoFactor.enabled ? await describeFactors(app, user) : null
  const required = app.config.twoFactor.enabled ? describeRequirement(await requirementOf(app, user)) : null
  const passkeys = app.config.passkey.enabled ? await listPasskeys(app, user.id) : []
  return {
    enabled: report?.enabled ?? false,
    methods: [...(report?.methods ?? [])],
    backupCodesLeft: report?.backupCodesLeft ?? 0,
    passkeys: passkeys.map(describePasskey),
    trustedDevices: [...(report?.trustedDevices ?? [])],
    required,
    pendingReset: report?.pendingReset ? { effectiveAt: report.pendingReset.effectiveAt } : null,
  }
}

export const routes = {
  'GET /admin/list-user-factors': route({
    summary: 'List the second factors of a user',
    description:
      'Returns the second factors of a user, how many backup codes they have left, their passkeys, and the browsers that they trust. Never returns secrets.',
    access,
    query: z.object({ userId }),
    returns: factorsView,
    errors: [errors.USER_NOT_FOUND],
    handler: async (ctx) => describeUserFactors(ctx, await getUser(ctx, ctx.query.userId)),
  }),
  'GET /admin/explain-sign-in': route({
    summary: 'Explain the sign-in of a user',
    description:
      'Returns what the next sign-in of a user would demand, and why: which methods they have, whether they are admitted, whether a second factor is demanded, which factors are offered, and what dangerous calls demand afterwards. Nothing is changed.',
    access,
    query: z.object({
      userId,
      method: z
        .string()
        .min(1)
        .max(255)
        .optional()
        .describe('Sign-in method, such as `password`, `passkey` or `social:google`; default: the first that the user has'),
    }),
    returns: z.object({
      steps: z.array(
        z.object({
          step: z.string().meta({ description: 'What is decided', examples: ['challenge'] }),
          result: z.string().meta({ examples: ['totp'] }),
          reason: z.string().meta({ examples: ['has-factor'] }),
        }),
      ),
    }),
    errors: [errors.USER_NOT_FOUND],
    handler: async (ctx) => ({
      steps: await explainSignIn(ctx, await getUser(ctx, ctx.query.userId), ctx.query.method),
    }),
  }),
}
