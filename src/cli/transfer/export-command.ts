import { counted } from '../../lib/text.ts'
import { usageError } from '../../project/failure.ts'
import { type Context, command, flag, group, option, text, type ValuesOf } from '../command.ts'
import { exportAllCommand } from './export-all-command.ts'
import { checkAbsent, writeNewFile } from './new-file.ts'
import { choosePassphrase, passphraseOption } from './passphrase.ts'

const exportOptions = {
  out: option('-o, --out <file>', 'Write to this file (mode 0600); it appears when the export is complete', (z) =>
    z.string().min(1).optional(),
  ),
  force: flag('--force', 'Overwrite an existing file'),
  withPasswordHashes: flag('--with-password-hashes', 'Include password hashes; encrypts the export'),
  withSecondFactors: flag('--with-second-factors', 'Include secrets of authenticator apps; encrypts the export'),
  passphraseFile: passphraseOption,
  plain: flag('--plain', 'Do not encrypt, for another system; confirm it'),
  confirm: text('--confirm <words>', 'Confirm --plain with "password-hashes", "second-factors", or both with a comma'),
}
type ExportContext = Context<ValuesOf<typeof exportOptions>>

const exportUsersCommand = command('users', 'Export users with their sign-in methods', {
  description:
    'Writes one JSON document per line (NDJSON, export-users/v1), the format of `import users`; see docs/importing.md. Never includes tokens or backup codes. Password hashes allow offline guessing, and secrets of authenticator apps make valid codes: with one of them the export is encrypted by a passphrase, which is asked for twice, or read from --passphrase-file. For another system, --plain leaves the encryption out. Confirm that by typing "password-hashes" or "second-factors", or with --confirm; --yes is not enough.',
  examples: [
    'latchkey export users --out users.ndjson',
    'latchkey export users | gzip > users.ndjson.gz',
    'latchkey export users --with-password-hashes --out users.ndjson',
    'latchkey export users --with-second-factors --passphrase-file phrase',
    'latchkey export users --with-password-hashes --plain',
  ],
  options: exportOptions,
  usesDatabase: true,
  exitCodes: [4, 5],
  deadline: 86_400,
  action: async (context) => {
    const { options, output, cwd } = context
    const { resolve } = await import('node:path')
    const file = options.out === undefined ? null : resolve(cwd, options.out)
    if (file !== null && !options.force) checkAbsent(file)
    const passphrase = await protect(context)
    const users = file === null ? await toOutput(context, passphrase) : await toFile(context, passphrase, file)
    const isEncrypted = passphrase !== null
    if (file !== null) output.result('export/v1', { users, file, isEncrypted }, [])
    const stop = await output.findStop(isEncrypted ? 'line' : 'user')
    if (stop !== null) return output.warn(stop)
    output.success(`Exported ${counted(users, 'user')}${isEncrypted ? ', encrypted,' : ''}${file === null ? '' : ` to ${file}`}`)
  },
})

/** @returns the passphrase; null: the export is not encrypted @throws Failure USAGE, NOT_CONFIRMED (5); those of `choosePassphrase` */
async function protect(context: ExportContext): Promise<string | null> {
  const { withPasswordHashes, withSecondFactors, passphraseFile, plain, confirm } = context.options
  const secrets = [withPasswordHashes && 'password-hashes', withSecondFactors && 'second-factors'].filter(Boolean)
  if (plain && secrets.length === 0)
    throw usageError('--plain: an export without --with-password-hashes and --with-second-factors is not encrypted anyway')
  if (plain && passphraseFile !== undefined) throw usageError('--plain: cannot be used with --passphrase-file')
  if (!plain && confirm !== undefined) throw usageError('--confirm: only --plain needs it')
  if (!plain && (secrets.length > 0 || passphraseFile !== undefined)) {
    const { shortestPassphrase } = await import('./encrypted-export.ts')
    return choosePassphrase(context, passphraseFile, shortestPassphrase)
  }
  if (!plain) return null
  const dangers = [
    withPasswordHashes && 'can guess passwords offline',
    withSecondFactors && 'can make the codes of authenticator apps',
  ]
  const message = `Anyone who gets this export ${dangers.filter(Boolean).join(', and ')}.`
  await context.prompt.confirmName({ message, name: secrets.join(','), given: confirm })
  return null
}

interface Written {
  readonly schema: string
  readonly line: object
}

/** @param counts of the users so far */
async function* readLines(
  context: ExportContext,
  passphrase: string | null,
  counts: { users: number },
): AsyncGenerator<readonly Written[], void, undefined> {
  const { exportUsers } = await import('../../features/transfer/index.ts')
  const { app } = await context.openReadyApp({ mode: 'read', tables: ['user', 'account', 'twoFactor'] })
  const readUsers = async function* () {
    for await (const batch of exportUsers(app, context.options)) {
      context.signal.throwIfAborted()
      counts.users += batch.length
      yield batch.map((line) => ({ schema: 'export-users/v1', line }))
    }
  }
  if (passphrase === null) return yield* readUsers()
  const { encrypt, encryptedSchema } = await import('./encrypted-export.ts')
  const readText = async function* () {
    for await (const batch of readUsers()) yield textOf(batch)
  }
  for await (const line of encrypt(readText(), passphrase, app.random.bytes(16))) yield [{ schema: encryptedSchema, line }]
}

const textOf = (lines: readonly Written[]): string =>
  lines.map(({ schema, line }) => `${JSON.stringify({ schema, ...line })}\n`).join('')

async function toOutput(context: ExportContext, passphrase: string | null): Promise<number> {
  const { output } = context
  const counts = { users: 0 }
  for await (const lines of readLines(context, passphrase, counts)) {
    for (const { schema, line } of lines) output.record(schema, line, JSON.stringify({ schema, ...line }))
    await output.drained()
    if (output.closed.aborted) break
  }
  return counts.users
}

async function toFile(context: ExportContext, passphrase: string | null, file: string): Promise<number> {
  const counts = { users: 0 }
  await writeNewFile(file, async (append) => {
    for await (const lines of readLines(context, passphrase, counts)) await append(textOf(lines))
  })
  return counts.users
}

export const exportGroup = group('export', 'Export users, or everything', {
  examples: ['latchkey export users --out users.ndjson', 'latchkey export all --out all.ndjson --confirm secrets'],
  commands: [exportUsersCommand, exportAllCommand],
})
