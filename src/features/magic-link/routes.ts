/** The calls of magic links (contract 13 §2, §3). */
import { z } from 'zod'
import { anyone } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { callbackURL, longText } from '../../core/schemas.ts'
import type { Tables } from '../../core/table.ts'
import { fitsAsJSONBytes, mostLevels } from '../../lib/objects.ts'
import { fieldRequired } from '../custom-fields/index.ts'
import { errors as passwordErrors } from '../email-password/index.ts'
import type { Config } from '../index.ts'
import { fullSession, errors as sessionErrors } from '../sessions/index.ts'
import { emailAddress, errors as userErrors, userView } from '../users/index.ts'
import { errors as tokenErrors } from '../verifications/index.ts'
import { errors, invalidToken, longestToken } from './links.ts'
import { hookCode, openLink, previewLink, redirectCodes, requestLink, useLinkOrCode } from './sign-in.ts'

const rateLimit = ({ magicLink }: Config) => magicLink.rateLimit

const longestMetadata = 4096

const targets = {
  callbackURL: callbackURL.optional(),
  newUserCallbackURL: callbackURL.optional(),
  errorCallbackURL: callbackURL.optional(),
}
const token = z.string().max(longestToken)
const requestBody = z.object({
  email: emailAddress,
  name: longText.optional(),
  ...targets,
  metadata: z
    .record(z.string(), z.unknown())
    .refine((metadata) => fitsAsJSONBytes(metadata, longestMetadata))
    .optional()
    .describe(`For \`magicLink.sendMagicLink\`; at most 4 KiB of JSON, in ${mostLevels} levels`),
})
const linkQuery = z.object({ token, ...targets })
const useBody = z
  .object({
    token: token.optional(),
    code: z.string().max(64).optional().describe('The code in the email, in the browser that asked for the link'),
    password: z.string().optional().describe('The password that the user chose at sign-up: nothing from before ends then'),
    rememberMe: z.boolean().optional(),
  })
  .refine((body) => (body.token === undefined) !== (body.code === undefined), { path: ['token'] })
  .meta({ examples: [{ token: 'aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeF' }] })

const returns = (tables: Tables) => ({ token: z.string(), user: userView, session: fullSession(tables) })
const linkErrors = [invalidToken, errors.TOKEN_EXPIRED]
const useErrors = [
  ...linkErrors,
  errors.SIGN_UP_IS_DISABLED,
  fieldRequired('<field>'),
  errors.LINK_OPENED_ELSEWHERE,
  userErrors.FAILED_TO_CREATE_USER,
  userErrors.FAILED_TO_UPDATE_USER,
  sessionErrors.FAILED_TO_CREATE_SESSION,
]

export const routes = {
  'POST /sign-in/magic-link': route({
    summary: 'Send a magic link',
    description:
      'Sends an email with a link that signs in, and a code for the browser that asks. The response is the same whether or not the email address is known. Without `magicLink.disableSignUp`, the link creates a user for an unknown address.',
    access: anyone(),
    body: requestBody,
    returns: z.object({ status: z.literal(true) }),
    responseHeaders: { 'set-cookie': 'A cookie of the browser that the link belongs to' },
    errors: [tokenErrors.FAILED_TO_CREATE_VERIFICATION],
    rateLimit,
    handler: async (ctx) => {
      await requestLink(ctx)
      return { status: true as const }
    },
  }),
  'GET /magic-link/verify': route({
    summary: 'Open a magic link',
    description:
      'Signs in with a magic link and redirects to `callbackURL`, or responds with the session when there is none. Does so for the browser that asked for the link, for scripts of trusted origins, and for programs that accept JSON; with hosted pages it redirects all others to a page, and changes nothing, because mail scanners open links. A failure redirects to `errorCallbackURL` or `callbackURL`, with the parameter `error`.',
    access: anyone(),
    usesCredential: true,
    signsIn: ['first-factor', 'new-user'],
    createsUsers: true,
    query: linkQuery,
    callback: 'query',
    returns: (_config: Config, tables: Tables) => z.object(returns(tables)),
    redirects: [...new Set(Object.values(redirectCodes)), 'failed_to_create_user', hookCode],
    rateLimit,
    handler: (ctx) => openLink(ctx),
  }),
  'POST /magic-link/verify': route({
    summary: 'Sign in with a magic link',
    description:
      'Signs in with the token of a magic link, or, in the browser that asked for it, with the code in the email. Creates a user for an unknown email address. The email address of the user is verified; when it was not, and the browser is not known to belong to the user, what was set up before ends, unless `password` is right. `url` is the target of the request. A link works once. Fails when it is unknown, used or expired, and in another browser with `magicLink.otherBrowser` set to `code` or `refuse`.',
    access: anyone(),
    usesCredential: true,
    signsIn: ['first-factor', 'new-user'],
    createsUsers: true,
    body: useBody,
    returns: (_config: Config, tables: Tables) =>
      z.object({ ...returns(tables), redirect: z.boolean(), url: z.string().optional() }),
    errors: [...useErrors, passwordErrors.CREDENTIAL_ACCOUNT_NOT_FOUND, passwordErrors.INVALID_PASSWORD],
    rateLimit,
    handler: (ctx) => useLinkOrCode(ctx),
  }),
  'POST /magic-link/preview': route({
    summary: 'Check a magic link',
    description:
      'Returns what the page of a magic link must know, and uses nothing: the email address, when and from which device the link was requested, and whether by this browser. `otherBrowser` is what another one may do, `confirm` for a link that a program requested. `code` is what a visitor types in the browser that asked; null when it is this one. `needsProof` is true when another person may have signed up with the address. Fails when the link is unknown, used or expired.',
    access: anyone(),
    usesCredential: true,
    isRead: true,
    body: z.object({ token }),
    returns: z.object({
      email: z.string(),
      requestedAt: z.string(),
      device: z.string().nullable(),
      sameBrowser: z.boolean(),
      otherBrowser: z.enum(['confirm', 'code', 'refuse']),
      isNewUser: z.boolean(),
      needsProof: z.boolean(),
      hasPassword: z.boolean(),
      current: z.object({ email: z.string() }).nullable(),
      code: z.string().nullable(),
    }),
    errors: linkErrors,
    rateLimit: { window: 60, max: 30 },
    handler: (ctx) => previewLink(ctx, ctx.body.token),
  }),
}
