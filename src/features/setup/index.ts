/** Seeds administrators from the configuration, and serves the single-use setup link that sets their first password. */
import { html } from 'hono/html'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { type ConfigIssue, group } from '../../core/config.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import { ofAccount } from '../../core/feature.ts'
import { anyone } from '../../core/permissions.ts'
import { type Page, redirect } from '../../core/reply.ts'
import type { UserRow } from '../../core/request.ts'
import { apiPath, route } from '../../core/route.ts'
import type { SeedOptions, SeedResult } from '../../core/seed.ts'
import { isReachableEmail } from '../../lib/placeholder-email.ts'
import { withParameter } from '../../lib/url.ts'
import { errors as accountErrors, changePassword, findCredentialAccount } from '../accounts/index.ts'
import { hostedPath } from '../dashboard/index.ts'
import { checkPasswordLength, errors as passwordErrors } from '../email-password/index.ts'
import type { Config } from '../index.ts'
import { page } from '../pages/index.ts'
import { verifyPassword } from '../password-hashes/index.ts'
import { checkNewPassword, errors as ruleErrors } from '../password-rules/index.ts'
import { declaredRoles, setUserRole } from '../roles/index.ts'
import { findUserByEmail, errors as userErrors } from '../users/index.ts'
import { hasVerification, errors as verificationErrors } from '../verifications/index.ts'
import { createSetupLink, createUser, findSetupLink, purpose, setPasswordByLink, verifySetupLink } from './setup-link.ts'

export { createUser, mailSetupLink } from './setup-link.ts'

export const area = 'Setup links'

export const config = {
  seed: group('Roles, administrators and organizations that `latchkey seed` creates', {
    admins: z
      .array(
        z.strictObject({
          email: z.string().refine(isReachableEmail, 'Expected an email address').describe('Email address of the administrator'),
          name: z.string().min(1).max(200).describe('Name of the administrator'),
          role: z.string().default('admin').describe('Role names, separated by commas'),
          passwordEnv: z
            .string()
            .optional()
            .describe(
              'Name of the environment variable with the password; the variable with _FILE appended may name a file instead; read only while the administrator has no password; default: a setup link is created',
            ),
        }),
      )
      .default([])
      .describe('Administrators'),
    setupLinkExpiresIn: z.int().positive().max(604_800).default(86_400).describe('Lifetime of a setup link in seconds'),
  }),
}

export function checkConfig(config: Config): ConfigIssue[] {
  const { seed, emailAndPassword, organization } = config
  const issues: ConfigIssue[] = []
  // Here, because rules of a disabled feature are not checked.
  if (seed.organizations.length > 0 && !organization.enabled) {
    const message = 'Organizations are disabled, so they cannot be created.'
    issues.push({ id: 'seed-organizations-disabled', path: 'seed.organizations', message, hint: 'Set organization: true.' })
  }
  if (seed.admins.length > 0 && !emailAndPassword.enabled) {
    issues.push({
      id: 'seed-admins-without-passwords',
      path: 'seed.admins',
      message: 'Administrators could not sign in, because password sign-in is disabled.',
      hint: 'Set emailAndPassword.enabled.',
    })
  }
  seed.admins.forEach((admin, position) => {
    const first = seed.admins.findIndex(({ email }) => email.toLowerCase() === admin.email.toLowerCase())
    if (first !== position)
      issues.push({ id: 'seed-admin-twice', path: `seed.admins.${position}.email`, message: 'Duplicate email address.' })
    for (const role of admin.role.split(',')) {
      if (declaredRoles(config).includes(role)) continue
      const message = `There is no role "${role}".`
      issues.push({ id: 'seed-admin-role', path: `seed.admins.${position}.role`, message, hint: 'Declare it in seed.roles.' })
    }
  })
  return issues
}

const expiredPage = (config: Config): Page =>
  page(
    config.appName,
    'This link no longer works',
    html`<p>It was used already, or it has expired. The operator of this site can create a new one with:</p>
<p><code>latchkey seed</code></p>`,
  )

const donePage = (config: Config): Page =>
  page(config.appName, 'Your password is set', html`<p>You can close this page and sign in.</p>`)

/** The form for the password of this user; without a user the link is invalid. @param error why the last attempt failed */
function setupPage(config: Config, token: string, user: UserRow | undefined, error?: string): Page {
  if (!user) return expiredPage(config)
  const { minPasswordLength, maxPasswordLength } = config.emailAndPassword
  return page(
    config.appName,
    'Set your password',
    html`<p>Choose the password for <strong>${user.email}</strong>. This link works once.</p>
${error ? html`<p class="error" role="alert" id="error">${error.replace(/\.$/, '')}.</p>` : ''}
<form method="post" action="${apiPath(config)}/set-up">
<input type="hidden" name="token" value="${token}">
<input type="text" name="username" autocomplete="username" value="${user.email}" readonly hidden>
<label for="newPassword">New password</label>
<input id="newPassword" name="newPassword" type="password" autocomplete="new-password" required minlength="${minPasswordLength}" maxlength="${maxPasswordLength}" aria-describedby="hint${error ? ' error' : ''}">
<p class="hint" id="hint">${minPasswordLength} characters or more.</p>
<button type="submit">Set password</button>
</form>`,
  )
}

const token = z.string()
const tooManyRequests = kernelErrors.TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER

export const auditActions = { 'setup-link.created': ofAccount('A link was created with which a user sets their first password') }

export const routes = {
  'GET /set-up': route({
    summary: 'Open a setup link',
    access: anyone(),
    query: z.object({ token }),
    returns: z.never(),
    undocumented: true,
    handler: async (ctx) => {
      const { token } = ctx.query
      const hosted = hostedPath(ctx.config, '/set-up')
      if (hosted !== null) return redirect(withParameter(hosted, 'token', token))
      return setupPage(ctx.config, token, (await verifySetupLink(ctx, token))?.user)
    },
  }),
  'POST /set-up/check': route({
    summary: 'Check a setup link',
    description:
      'Returns the email address of the user whose password a setup link sets, so that a page can show it. Does not use the link. Fails when the token is invalid or expired.',
    access: anyone(),
    whileReadOnly: 'served',
    body: z.object({ token }),
    returns: z.object({ email: z.string() }),
    errors: [verificationErrors.INVALID_TOKEN],
    handler: async (ctx) => {
      const link = await verifySetupLink(ctx, ctx.body.token)
      if (!link) throw new ApiError(verificationErrors.INVALID_TOKEN)
      return { email: link.user.email }
    },
  }),
  'POST /set-up': route({
    summary: 'Set a password with a setup link',
    description:
      'Sets the password of a user with the token of a setup link. A token works once. Fails when the token is invalid or expired, or the password does not meet the password rules.',
    access: anyone(),
    body: z.object({ token, newPassword: z.string() }),
    returns: z.object({ status: z.literal(true) }),
    mayReturnPage: true,
    errors: [
      verificationErrors.INVALID_TOKEN,
      passwordErrors.PASSWORD_TOO_SHORT,
      passwordErrors.PASSWORD_TOO_LONG,
      ...Object.values(ruleErrors),
      accountErrors.FAILED_TO_CREATE_ACCOUNT,
      accountErrors.FAILED_TO_UPDATE_ACCOUNT,
    ],
    rateLimit: { window: 10, max: 3 },
    handler: async (ctx) => {
      const isForm = ctx.request.header('accept')?.includes('text/html') ?? false
      try {
        await setPasswordByLink(ctx, ctx.body.token, ctx.body.newPassword)
      } catch (error) {
        if (!isForm || !(error instanceof ApiError) || error.entry.code === tooManyRequests.code) throw error
        if (error.entry.code === verificationErrors.INVALID_TOKEN.code) return expiredPage(ctx.config)
        return setupPage(ctx.config, ctx.body.token, (await findSetupLink(ctx, ctx.body.token))?.user, error.message)
      }
      return isForm ? donePage(ctx.config) : { status: true as const }
    },
  }),
}

type Admin = Config['seed']['admins'][number]

/** Creates the declared administrators and corrects their roles. An existing password is never changed. */
export async function seed(app: App, options: SeedOptions): Promise<SeedResult[]> {
  const results: SeedResult[] = []
  for (const admin of app.config.seed.admins) results.push(await seedAdmin(app, admin, options))
  return results
}

async function seedAdmin(app: App, admin: Admin, options: SeedOptions): Promise<SeedResult> {
  const known = await findUserByEmail(app, admin.email)
  if (known) return correctAdmin(app, admin, known, options)
  const password = passwordOf(admin, options)
  if (options.dryRun) return { kind: 'admin', name: admin.email, outcome: 'created', ...missingSecret(admin, password) }
  try {
    const { setupLink } = await createUser(app, { ...newUser(admin), role: admin.role, password }, { source: 'seed' })
    return { kind: 'admin', name: admin.email, outcome: 'created', ...(setupLink && { setupLink }) }
  } catch (error) {
    const isDuplicate = error instanceof ApiError && error.entry.code === userErrors.USER_ALREADY_EXISTS.code
    if (isDuplicate) return { kind: 'admin', name: admin.email, outcome: 'unchanged' }
    throw error
  }
}

/** Undefined without a configured variable, or when it is not set or empty. */
const passwordOf = ({ passwordEnv }: Admin, { readSecret }: SeedOptions): string | undefined =>
  (passwordEnv && readSecret(passwordEnv)) || undefined

const missingSecret = ({ passwordEnv }: Admin, password: string | undefined): Pick<SeedResult, 'missingSecret'> =>
  passwordEnv && !password ? { missingSecret: passwordEnv } : {}

const newUser = (admin: Admin) => ({ name: admin.name, email: admin.email, emailVerified: true })

async function correctAdmin(app: App, admin: Admin, user: UserRow, options: SeedOptions): Promise<SeedResult> {
  const result = { kind: 'admin', name: admin.email }
  const details: string[] = []
  if (user.role !== admin.role) {
    details.push(`role ${user.role ?? 'none'} → ${admin.role}`)
    if (!options.dryRun) await setUserRole(app, user.id, admin.role)
  }
  const stored = (await findCredentialAccount(app, user.id))?.password
  const access = stored ? null : await restoreAccess(app, admin, user, options)
  const { detail, ...more } = access ?? {}
  if (detail) details.push(detail)
  const outcome = details.length === 0 ? 'unchanged' : 'changed'
  if (stored && (await isOtherPassword(app, admin, stored, options)))
    details.push(`the password is not taken from ${admin.passwordEnv} again`)
  return { ...result, outcome, ...(details.length > 0 && { detail: details.join('; ') }), ...more }
}

/** Whether the environment has another password than the stored one. */
async function isOtherPassword(app: App, admin: Admin, stored: string, options: SeedOptions): Promise<boolean> {
  const password = passwordOf(admin, options)
  return password !== undefined && !(await verifyPassword(app, stored, password))
}

/** Gives an administrator without a password the configured one, or a new setup link if the last one has expired. */
async function restoreAccess(app: App, admin: Admin, user: UserRow, options: SeedOptions) {
  const { dryRun } = options
  const password = passwordOf(admin, options)
  if (password !== undefined) {
    checkPasswordLength(app, password)
    await checkNewPassword(app, password, admin)
    if (!dryRun) await changePassword(app, user.id, { passwordHash: await app.hasher.hash(password), by: 'operator' })
    return { detail: 'password set' }
  }
  if (await hasVerification(app, purpose, user.id)) return null
  const missing = missingSecret(admin, password)
  return { detail: 'new setup link', ...(dryRun ? missing : { setupLink: await createSetupLink(app, user.id) }) }
}
