import type { CommandGroup, Context } from '../command.ts'
import { command } from '../command.ts'
import { flag, seconds, waitForDatabaseOption } from '../inputs.ts'

interface ExportInput {
  readonly out?: string | undefined
  readonly withPasswordHashes: boolean
  readonly confirm?: string | undefined
  readonly waitForDb: number
}

const exportPeople = command<ExportInput>({
  name: 'users',
  summary: 'Write all users with their ways to sign in, one per line',
  description:
    'One JSON document per line (NDJSON, export-users/v1), as `import users` reads it; docs/importing.md describes it. Tokens are never in it. Password hashes are only with --with-password-hashes, which has to be confirmed by typing "password-hashes": whoever gets them can try passwords. --yes does not answer that.',
  examples: [
    'latchkey export users --out users.ndjson',
    'latchkey export users | gzip > users.ndjson.gz',
    'latchkey export users --with-password-hashes --out users.ndjson',
  ],
  options: [
    { flags: '-o, --out <file>', description: 'Write it to this file, which only you may read; it appears when it is whole' },
    { flags: '--with-password-hashes', description: 'Also the hashes of passwords' },
    { flags: '--confirm <word>', description: 'The word "password-hashes", for --with-password-hashes' },
    waitForDatabaseOption,
  ],
  exitCodes: [4, 5, 6, 8],
  deadline: 86_400,
  input: (z) =>
    z.object({
      out: z.string().min(1).optional(),
      withPasswordHashes: flag(z),
      confirm: z.string().optional(),
      waitForDb: seconds(z).default(0),
    }),
  action: async (context) => {
    const { options, output, prompt, cwd } = context
    if (options.withPasswordHashes) {
      const message = 'Whoever gets the export can try passwords on it.'
      await prompt.confirmName({ message, name: 'password-hashes', given: options.confirm })
    }
    const { resolve } = await import('node:path')
    const file = options.out === undefined ? null : resolve(cwd, options.out)
    const users = file === null ? await toOutput(context) : await toFile(context, file)
    if (file !== null) output.result('export/v1', { users, file }, [])
    output.success(`Exported ${users} users${file === null ? '' : ` to ${file}`}`)
  },
})

async function* readBatches(context: Context<ExportInput>): AsyncGenerator<object[], void, undefined> {
  const [{ openReadyApp }, { exportUsers }] = await Promise.all([
    import('../operate.ts'),
    import('../../features/transfer/index.ts'),
  ])
  const app = await openReadyApp(context, context.options.waitForDb)
  for await (const batch of exportUsers(app, context.options)) {
    context.signal.throwIfAborted()
    yield batch
  }
}

const schema = 'export-users/v1'

async function toOutput(context: Context<ExportInput>): Promise<number> {
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

/** What is not whole has another name. */
async function toFile(context: Context<ExportInput>, file: string): Promise<number> {
  const { open, rename, rm } = await import('node:fs/promises')
  const partial = `${file}.partial`
  await rm(partial, { force: true })
  const handle = await open(partial, 'wx', 0o600)
  let users = 0
  try {
    for await (const batch of readBatches(context)) {
      await handle.appendFile(batch.map((line) => `${JSON.stringify({ schema, ...line })}\n`).join(''))
      users += batch.length
    }
    await handle.sync()
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await rename(partial, file)
  return users
}

export const exportGroup: CommandGroup = {
  name: 'export',
  summary: 'Move out: write all users as lines of JSON',
  examples: ['latchkey export users --out users.ndjson'],
  commands: [exportPeople],
}
