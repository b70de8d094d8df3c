/** Why something was rejected: for a request, a user or an IP address, with the options that decide, for operators and support. */
import { z } from 'zod'
import { allows, grantsOf, permission } from '../../core/permissions.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { errors as searchErrors } from '../../core/search.ts'
import type { Config } from '../index.ts'
import { explain, type Sources } from './explanation.ts'
import { subjectKinds } from './subject.ts'

export { type CodeExplanation, explainCode } from './entry.ts'
export { type Explanation, explain, explainSubjectCode, type Sources } from './explanation.ts'

export const area = 'Audit log'
export const plugin = 'admin'

export const enabled = ({ admin }: Config): boolean => admin.enabled

const finding = z.object({
  id: z.string().meta({ examples: ['lockout'] }),
  state: z.enum(['blocks', 'note']).describe('`blocks`: it refuses calls now'),
  code: z
    .string()
    .nullable()
    .describe('With which calls are rejected')
    .meta({ examples: ['BANNED_USER'] }),
  settings: z
    .array(z.string())
    .describe('Paths of options')
    .meta({ examples: [['attempts.perAccount']] }),
  values: z.record(z.string(), z.union([z.string(), z.number()])).meta({ examples: [{ wait: 30, failures: 5 }] }),
  message: z.string().meta({ examples: ['Sign-in is locked for 30 s, after 5 consecutive failures.'] }),
})

const refusal = z.object({
  id: z.string().describe('Of the event in the audit log'),
  at: isoDate,
  action: z.string().meta({ examples: ['access.denied'] }),
  outcome: z.string().meta({ examples: ['denied'] }),
  route: z
    .string()
    .nullable()
    .meta({ examples: ['POST /sign-in/email'] }),
  code: z
    .string()
    .nullable()
    .meta({ examples: ['INVALID_ORIGIN'] }),
  reason: z
    .string()
    .nullable()
    .meta({ examples: ['application'] }),
  setting: z
    .string()
    .nullable()
    .describe('Path of the option that decided, when the event has it')
    .meta({ examples: ['signUp.block'] }),
  count: z.int().describe('Equal calls that this event stands for'),
  requestId: z.string().nullable(),
  ipAddress: z.string().nullable(),
  userId: z.string().nullable(),
})

const explanation = z.object({
  subject: z.object({ kind: z.enum(subjectKinds), text: z.string().meta({ examples: ['ann@example.com'] }) }),
  userId: z.string().nullable(),
  findings: z.array(finding).describe('What holds now'),
  refusals: z.array(refusal).describe('What was rejected, newest first'),
  isComplete: z.boolean().describe('False: there may be older ones in the audit log'),
  signIn: z
    .array(
      z.object({
        step: z.string().meta({ examples: ['challenge'] }),
        result: z.string().meta({ examples: ['totp'] }),
        reason: z.string().meta({ examples: ['has-factor'] }),
      }),
    )
    .describe('The next sign-in of the user'),
  codes: z.array(
    z.object({
      code: z.string().meta({ examples: ['INVALID_ORIGIN'] }),
      of: z.enum(['api', 'command']),
      meaning: z.string().meta({ examples: ['The request came from a page of an origin that is not trusted (CSRF check).'] }),
      fix: z
        .string()
        .describe('What to do')
        .meta({ examples: ['If the page is yours, add its origin to `trustedOrigins`.'] }),
      settings: z
        .array(z.string())
        .describe('Paths of the options that decide')
        .meta({ examples: [['trustedOrigins']] }),
    }),
  ),
  settings: z
    .array(
      z.object({
        path: z.string().meta({ examples: ['trustedOrigins'] }),
        value: z.unknown().meta({ description: 'Secrets are redacted', examples: [['https://app.example.com']] }),
        origin: z
          .string()
          .describe('`file`, `default`, `environment NAME` or the name of a flag')
          .meta({ examples: ['file'] }),
        file: z
          .string()
          .nullable()
          .meta({ examples: ['auth.config.ts'] }),
        line: z.int().nullable(),
      }),
    )
    .describe('Where these options are set; empty for users whose role does not permit `system:read`'),
})

const nothingKnown: Sources = { locate: () => [], explainCalls: async () => null }

/** Values and places of options are only for users who may read the configuration. */
async function sourcesOf(ctx: CallContext & { readonly user: UserRow }): Promise<Sources> {
  const { installation } = ctx
  if (!installation) return nothingKnown
  const mayRead = allows(await grantsOf(ctx, ctx.user), { system: ['read'] })
  return {
    locate: mayRead ? installation.locate : nothingKnown.locate,
    explainCalls: (address) => installation.explainCalls({ address, path: null }),
  }
}

/** The audit log shows the others. */
const maxRefusals = 50

export const routes = {
  'GET /admin/explain': route({
    summary: 'Explain why something was rejected',
    description:
      'For a request ID, an email or IP address, the ID of a user or an error code: what was rejected, when, with which code and why; what blocks calls now; and the options that decide, with the file and line in which they are set. Fails with 503 when it takes longer than `admin.listTimeout`. Only for users whose role permits `event:list`, `limit:list` and `user:list`.',
    access: permission({ event: ['list'], limit: ['list'], user: ['list'] }),
    query: z.object({
      subject: z
        .string()
        .trim()
        .min(1)
        .max(320)
        .describe('What to explain')
        .meta({ examples: ['ann@example.com'] }),
    }),
    returns: explanation,
    errors: [searchErrors.SEARCH_TOO_SLOW],
    handler: async (ctx) => mutable(await explain(ctx, ctx.query.subject, maxRefusals, await sourcesOf(ctx))),
  }),
}

/** As the schema of the response has it. */
const mutable = ({ findings, refusals, signIn, codes, settings, ...rest }: Awaited<ReturnType<typeof explain>>) => ({
  ...rest,
  findings: findings.map((one) => ({ ...one, settings: [...one.settings] })),
  refusals: [...refusals],
  signIn: [...signIn],
  codes: codes.map((one) => ({ ...one, settings: [...one.settings] })),
  settings: [...settings],
})
