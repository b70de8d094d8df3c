/** `terms status`: how many users have accepted each version. `terms list`: what one user has accepted. */
import type { App } from '../core/app.ts'
import { Failure } from '../project/failure.ts'
import { argument, command, group } from './command.ts'

/** @throws Failure TERMS_DISABLED */
function requireTerms({ config }: App): void {
  if (config.terms.enabled) return
  throw new Failure('TERMS_DISABLED', 'Terms are disabled: terms is off', {
    hint: 'Set terms.documents in the configuration. On MySQL, then run latchkey migrate generate and latchkey migrate up.',
  })
}

const tables = ['user', 'termsAcceptance', 'termsPostponement'] as const

const status = command('status', 'Count who accepted terms', {
  description:
    'Prints each version of each document, one per line, with the number of users who have accepted it, postponed it, and done neither. The same as `GET /admin/terms`.',
  examples: ['latchkey terms status', 'latchkey terms status --json'],
  usesDatabase: true,
  deadline: 60,
  action: async ({ output, openReadyApp }) => {
    const { readStatus } = await import('../features/terms/index.ts')
    const { app } = await openReadyApp({ mode: 'read', tables })
    requireTerms(app)
    const found = await readStatus(app)
    const lines = found.versions.map(({ id, version, state, accepted, postponed, outstanding }) => {
      const open = outstanding === null ? [] : [`${outstanding} outstanding`]
      return [`${id} ${version}`, state, `${accepted} accepted`, `${postponed} postponed`, ...open].join('  ')
    })
    output.result('terms-status/v1', { ...found }, lines)
    if (lines.length === 0) output.info('The configuration has no documents')
  },
})

const list = command('list', 'List what a user accepted', {
  description:
    'Prints one accepted version per line, the newest first, with its time, IP address and device. Of a deleted user, give the ID: what is kept of them has neither IP address nor device.',
  examples: ['latchkey terms list ann@example.com', 'latchkey terms list 5Xn1Q0c8m2VZk3a9RtYbLw7EuDfGhJpS --json'],
  arguments: { user: argument('<user>', 'ID or email address', (z) => z.string().min(1).max(320)) },
  usesDatabase: true,
  deadline: 60,
  action: async ({ options, output, openReadyApp }) => {
    const { listAcceptances } = await import('../features/terms/index.ts')
    const { findUsersByEmailOrId } = await import('../features/users/index.ts')
    const { userNotFound } = await import('./ready-app.ts')
    const { printable } = await import('../lib/redact.ts')
    const { app } = await openReadyApp({ mode: 'read', tables })
    requireTerms(app)
    const [user] = await findUsersByEmailOrId(app, [options.user.toLowerCase()], [options.user])
    const userId = user?.id ?? options.user
    const { rows } = await listAcceptances(app, { userId, limit: 1000 })
    if (!user && rows.length === 0) throw userNotFound(options.user)
    const lines = rows.map(({ document, version, acceptedAt, ipAddress, device }) =>
      printable([`${document} ${version}`, acceptedAt.toISOString(), ipAddress ?? '-', device ?? '-'].join('  ')),
    )
    output.result('terms-list/v1', { userId, email: user?.email ?? null, acceptances: rows }, lines)
    if (lines.length === 0) output.info(`${options.user} has accepted nothing`)
  },
})

export const terms = group('terms', 'Show who accepted which terms', {
  examples: ['latchkey terms status', 'latchkey terms list ann@example.com'],
  commands: [status, list],
})
