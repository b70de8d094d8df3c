/** Magic links: links by email that sign in and sign up. A mail scanner that opens one neither signs in nor uses it. */
import { z } from 'zod'
import { type ConfigIssue, callback, section } from '../../core/config.ts'
import { cookieOptions } from '../../core/cookies.ts'
import type { Listeners } from '../../core/events.ts'
import { ofAccount, settings } from '../../core/feature.ts'
import type { SignInMethod } from '../../core/sign-in.ts'
import { mailPause } from '../email-verification/index.ts'
import type { Config } from '../index.ts'
import { isSent, mailSender, mailTemplates } from '../outbox/index.ts'
import { deleteVerifications } from '../verifications/index.ts'
import { findOwnCodes, longestToken, prepareLink, proven, purpose, shortestToken } from './links.ts'
import { type LinkMail, mails } from './mails.ts'

export { errors } from './links.ts'
export { mails } from './mails.ts'
export { routes } from './routes.ts'

export const area = 'Codes and links by email'

export const plugin = 'magic-link'

export const config = {
  ...cookieOptions('magic_link'),
  ...mailTemplates<{ 'magic-link': LinkMail }>({ 'magic-link': 'with a link and a code to sign in' }),
  magicLink: section('Links by email that sign in', {
    expiresIn: z.int().min(60).max(3600).default(600).describe('Lifetime of a link in seconds'),
    disableSignUp: z.boolean().default(false).describe('Create no users: a link signs in only users who exist'),
    sendMagicLink: mailSender<LinkMail>('link'),
    generateToken: callback<(email: string) => string | Promise<string>>()
      .optional()
      .describe(
        `Function that makes the token of a link: ${shortestToken} to ${longestToken} characters that cannot be guessed; default: 32 random letters`,
      ),
    rateLimit: z
      .strictObject({
        window: z.int().positive().describe('Length of the window, in seconds'),
        max: z.int().positive().describe('Requests allowed in the window'),
      })
      .default({ window: 60, max: 5 })
      .describe('Rate limit of each of the calls'),
    otherBrowser: z
      .enum(['confirm', 'code', 'refuse'])
      .default('confirm')
      .describe(
        'In another browser than the one that asked, a link signs in after a click or shows a code for the first browser (`confirm`), only shows the code (`code`), or does nothing (`refuse`)',
      ),
  }),
}

export const enabled = ({ magicLink }: Config): boolean => magicLink.enabled

export function checkConfig(config: Config): ConfigIssue[] {
  if (isSent(config, mails['magic-link'])) return []
  return [
    {
      id: 'magic-link-mail',
      path: 'magicLink',
      message: 'No magic link can be sent, because no mail is configured.',
      hint: 'Configure mail, or magicLink.sendMagicLink.',
    },
  ]
}

export const signInMethod: SignInMethod = {
  name: proven.method,
  isAvailable: (_, { emailVerified }) => emailVerified,
  expects: () => ({ proofs: [proven], reason: 'has-email' }),
}

export const publicSettings = settings(
  {
    magicLink: z
      .object({
        signUp: z.boolean(),
        otherBrowser: z.enum(['confirm', 'code', 'refuse']),
        expiresIn: z.int().meta({ description: 'Lifetime of a link in seconds' }),
        resendAfter: z.int().meta({ description: 'Seconds between two links to one email address' }),
      })
      .nullable(),
  },
  ({ magicLink: { enabled, disableSignUp, otherBrowser, expiresIn } }) => ({
    magicLink: enabled ? { signUp: !disableSignUp, otherBrowser, expiresIn, resendAfter: mailPause() } : null,
  }),
)

export const auditActions = {
  'magic-link.requested': 'A magic link was requested; the target is the user, if there is one who gets it',
  'magic-link.opened-elsewhere': ofAccount('A magic link signed in another browser than the one that asked for it'),
}

export const on: Listeners = {
  'email-code.preparing': async (app, { email, targets, ...sharedCode }) => ({
    link: (await prepareLink(app, { email, targets, sharedCode })) ?? undefined,
  }),
  'email-code.comparing': async (_, { ctx, email }) => ({ others: await findOwnCodes(ctx, email) }),
  // A link that a thief requested must not outlive what its owner does to recover the account.
  'password.changed': async (tx, { userId, sessionSince }) => {
    if (!sessionSince) await deleteVerifications(tx, [purpose], userId)
  },
  'user.email-changed': (tx, { userId }) => deleteVerifications(tx, [purpose], userId),
  'user.deleted': (tx, { userId }) => deleteVerifications(tx, [purpose], userId),
}
