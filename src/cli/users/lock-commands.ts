/** Locks of accounts that another person may have taken over, by the operator. */
import type { EndedByLock } from '../../features/account-lock/index.ts'
import { counted } from '../../lib/text.ts'
import { Failure } from '../../project/failure.ts'
import { argument, command, flag, option } from '../command.ts'

const userArgument = argument('<user>', 'ID or email address', (z) => z.string().min(1))
const reasonOption = option('--reason <text>', 'Reason, kept in the audit log', (z) =>
  z.string().trim().max(500, 'is too long').optional(),
)

/** What a lock ends, apart from what belongs to features that are off. */
const lockTables = ['user', 'account', 'session', 'verification', 'oneTimeCode', 'lockLink', 'outbox'] as const

/** In words, such as `2 sessions and 1 API key`. */
function listEnded({ sessions, apiKeys, linksAndCodes, linkedAccounts, trustedBrowsers }: EndedByLock): string {
  const counts = [
    counted(sessions, 'session'),
    ...(apiKeys > 0 ? [counted(apiKeys, 'API key')] : []),
    ...(linksAndCodes > 0 ? [counted(linksAndCodes, 'pending link or code').replace('link or codes', 'links or codes')] : []),
    ...(linkedAccounts > 0 ? [`the stored tokens of ${counted(linkedAccounts, 'linked account')}`] : []),
    ...(trustedBrowsers > 0 ? [counted(trustedBrowsers, 'trusted browser')] : []),
  ]
  return counts.length > 1 ? `${counts.slice(0, -1).join(', ')} and ${counts.at(-1)}` : (counts[0] ?? '')
}

export const lock = command('lock', 'Lock the account of a user', {
  description:
    'For an account that another person may have taken over. Ends sessions, API keys, pending links and codes, trusted browsers and stored tokens of linked accounts immediately on every daemon, rejects every sign-in, and notifies the verified email addresses, also that from before a change. Only an operator or administrator opens the account. With --allow-reset, a password reset does too: only when the owner still has the email address. Confirm it on a terminal, or with --yes.',
  examples: [
    'latchkey users lock ann@example.com --reason "Owner called"',
    'latchkey users lock ann@example.com --allow-reset --yes',
  ],
  arguments: { user: userArgument },
  options: {
    reason: reasonOption,
    allowReset: flag('--allow-reset', 'Let a password reset by email open the account'),
  },
  usesDatabase: true,
  exitCodes: [5],
  deadline: 60,
  action: async (context) => {
    const { global, options, output, prompt } = context
    const { lockAccount, previewLock } = await import('../../features/account-lock/index.ts')
    const { getUser, warnIfCacheStale } = await import('../ready-app.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: lockTables })
    const { id, email } = await getUser(app, options.user)
    const question = `Lock the account of ${email}? It ends ${listEnded(await previewLock(app, id))}.`
    if (!global.yes && !(prompt.isAllowed && (await prompt.confirm(question))))
      throw new Failure('NOT_CONFIRMED', `The account of ${email} was not locked: not confirmed`, {
        exitCode: 5,
        hint: 'Confirm it on a terminal, or with --yes.',
      })
    const { reason, allowReset } = options
    const { user, ended, opensByReset } = await lockAccount(app, null, { userId: id, reason, allowReset })
    await warnIfCacheStale(app, output)
    output.result('users-lock/v1', { id, email, lockedAt: user.lockedAt, opensByReset, ended }, [])
    output.success(`Locked the account of ${email} and ended ${listEnded(ended)}`)
    output.info(
      opensByReset
        ? 'A password reset by email opens it again, and so does latchkey users unlock'
        : `Only latchkey users unlock ${email} or an administrator opens it again`,
    )
  },
})

export const unlock = command('unlock', 'Unlock the account of a user', {
  description:
    'Check the email address first, and correct it with users update: a thief may have changed it. What the lock has ended stays ended, and the user must choose a new password at the next sign-in.',
  examples: ['latchkey users unlock ann@example.com', 'latchkey users unlock ann@example.com --reason "Identity checked"'],
  arguments: { user: userArgument },
  options: { reason: reasonOption },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { options, output } = context
    const { unlockAccount } = await import('../../features/account-lock/index.ts')
    const { getUser, warnIfCacheStale } = await import('../ready-app.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: lockTables })
    const { id, email, lockedAt } = await getUser(app, options.user)
    if (lockedAt) {
      await unlockAccount(app, null, { userId: id, reason: options.reason })
      await warnIfCacheStale(app, output)
    }
    output.result('users-unlock/v1', { id, email, wasLocked: lockedAt !== null }, [])
    output.success(lockedAt ? `Unlocked the account of ${email}` : `The account of ${email} is not locked`)
    if (lockedAt) output.info('They choose a new password at the next sign-in')
  },
})
