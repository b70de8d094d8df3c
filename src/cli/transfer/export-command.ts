import { counted } from '../../lib/text.ts'
import { type Context, command, flag, group, option, text, type ValuesOf } from '../command.ts'
import { checkAbsent, writeNewFile } from './new-file.ts'

const exportOptions = {
  out: option('-o, --out <file>', 'Write to this file (mode 0600); it appears when the export is complete', (z) =>
    z.string().min(1).optional(),
  ),
  force: flag('--force', 'Overwrite an existing file'),
  withPasswordHashes: flag('--with-password-hashes', 'Include password hashes'),
  withSecondFactors: flag('--with-second-factors', 'Include secrets of authenticator apps, in plain text'),
  confirm: text('--confirm <words>', 'Confirm with "password-hashes", "second-factors", or both with a comma'),
}
type ExportContext = Context<ValuesOf<typeof exportOptions>>

const exportUsersCommand = command('users', 'Export users with their sign-in methods', {
  description:
    'Writes one JSON document per line (NDJSON, export-users/v1), the format of `import users`; see docs/importing.md. Never includes tokens or backup codes. Password hashes allow offline guessing, and secrets of authenticator apps make valid codes, so confirm --with-password-hashes and --with-second-factors by typing "password-hashes" or "second-factors", or with --confirm; --yes is not enough.',
  examples: [
    'latchkey export users --out users.ndjson',
    'latchkey export users | gzip > users.ndjson.gz',
    'latchkey export users --with-password-hashes --out users.ndjson',
    'latchkey export users --with-second-factors --confirm second-factors',
  ],
  options: exportOptions,
  usesDatabase: true,
  exitCodes: [4, 5],
  deadline: 86_400,
  action: async (context) => {
    const { options, output, prompt, cwd } = context
    const name = [options.withPasswordHashes && 'password-hashes', options.withSecondFactors && 'second-factors'].filter(Boolean)
    if (name.length > 0) {
      const dangers = [
        options.withPasswordHashes && 'can guess passwords offline',
        options.withSecondFactors && 'can make the codes of authenticator apps',
      ]
      const message = `Anyone who gets this export ${dangers.filter(Boolean).join(', and ')}.`
      await prompt.confirmName({ message, name: name.join(','), given: options.confirm })
    }
    const { resolve } = await import('node:path')
    const file = options.out === undefined ? null : resolve(cwd, options.out)
    if (file !== null && !options.force) checkAbsent(file)
    const users = file === null ? await toOutput(context) : await toFile(context, file)
    if (file !== null) output.result('export/v1', { users, file }, [])
    const stop = await output.findStop('user')
    if (stop !== null) return output.warn(stop)
    output.success(`Exported ${counted(users, 'user')}${file === null ? '' : ` to ${file}`}`)
  },
})

async function* readBatches(context: ExportContext): AsyncGenerator<object[], void, undefined> {
  const { exportUsers } = await import('../../features/transfer/index.ts')
  const { app } = await context.openReadyApp({ mode: 'read', tables: ['user', 'account', 'twoFactor'] })
  for await (const batch of exportUsers(app, context.options)) {
    context.signal.throwIfAborted()
    yield batch
  }
}

const schema = 'export-users/v1'

async function toOutput(context: ExportContext): Promise<number> {
  const { output } = context
  let users = 0
  for await (const batch of readBatches(context)) {
    for (const line of batch) output.record(schema, line, JSON.stringify({ schema, ...line }))
    users += batch.length
    await output.drained()
    if (output.closed.aborted) break
  }
  return users
}

async function toFile(context: ExportContext, file: string): Promise<number> {
  let users = 0
  await writeNewFile(file, async (append) => {
    for await (const batch of readBatches(context)) {
      await append(batch.map((line) => `${JSON.stringify({ schema, ...line })}\n`).join(''))
      users += batch.length
    }
  })
  return users
}

export const exportGroup = group('export', 'Export all users', {
  examples: ['latchkey export users --out users.ndjson'],
  commands: [exportUsersCommand],
})
