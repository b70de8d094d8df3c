/** `users passkeys`: shows the passkeys of a user, and deletes one. */
import type { App } from '../../core/app.ts'
import { Failure } from '../../project/failure.ts'
import { argument, command, option } from '../command.ts'

/** @throws Failure PASSKEYS_DISABLED */
function requirePasskeys({ config }: App): void {
  if (config.passkey.enabled) return
  throw new Failure('PASSKEYS_DISABLED', 'Passkeys are disabled: passkey is off', {
    hint: 'Set passkey: true in the configuration. On MySQL, then run latchkey migrate generate and latchkey migrate up.',
  })
}

export const passkeys = command('passkeys', 'List the passkeys of a user', {
  description:
    'Prints one passkey per line, starting with its ID, with its name, its authenticator, whether it is synced or suspended, and when it was last used. With --delete, deletes one, also the last sign-in method of the user, and sends an email about it; sessions stay.',
  examples: ['latchkey users passkeys ann@example.com', 'latchkey users passkeys ann@example.com --delete q8Zt3VxLw2Rr8Yp5'],
  arguments: { user: argument('<user>', 'ID or email address', (z) => z.string().min(1)) },
  options: { delete: option('--delete <id>', 'Delete the passkey with this ID', (z) => z.string().min(1).optional()) },
  usesDatabase: true,
  deadline: 60,
  action: async ({ options, output, openReadyApp }) => {
    const { getUser } = await import('../ready-app.ts')
    const { deletePasskey, describePasskey, listPasskeys } = await import('../../features/passkeys/index.ts')
    const { printable } = await import('../../lib/redact.ts')
    const mode = options.delete === undefined ? 'read' : 'write'
    const { app } = await openReadyApp({ mode, tables: ['user', 'passkey', 'session', 'outbox'] })
    requirePasskeys(app)
    const { id, email } = await getUser(app, options.user)
    const all = await listPasskeys(app, id)
    if (options.delete !== undefined) {
      const isTheirs = all.some((passkey) => passkey.id === options.delete)
      if (!isTheirs)
        throw new Failure('PASSKEY_NOT_FOUND', `${email} has no passkey with this ID`, {
          hint: `List their passkeys: latchkey users passkeys ${email}`,
        })
      await deletePasskey(app, id, options.delete, { mayBeLast: true })
      output.result('users-passkeys-delete/v1', { id: options.delete, userId: id }, [])
      return output.success(`Deleted a passkey of ${email}`)
    }
    const shown = all.map((passkey) => {
      const { publicKey: _, provider, ...rest } = describePasskey(passkey)
      return { ...rest, provider, isDiscoverable: passkey.isDiscoverable, isAutomatic: passkey.isAutomatic }
    })
    const lines = shown.map(({ id, name, provider, deviceType, suspendedAt, lastUsedAt }) => {
      const kind = deviceType === 'multiDevice' ? 'synced' : 'only on this device'
      const used = lastUsedAt ? `last used ${lastUsedAt.toISOString()}` : 'never used'
      return printable([id, name || '-', provider ?? '-', suspendedAt ? `${kind}, suspended` : kind, used].join('  '))
    })
    output.result('users-passkeys/v1', { userId: id, email, passkeys: shown }, lines)
    if (all.length === 0) output.info(`${email} has no passkey`)
  },
})
