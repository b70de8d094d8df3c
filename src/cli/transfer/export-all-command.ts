import { counted } from '../../lib/text.ts'
import { exitCodes, Failure, usageError } from '../../project/failure.ts'
import { type Context, command, flag, option, text, type ValuesOf } from '../command.ts'
import { checkAbsent, writeNewFile } from './new-file.ts'

const exportAllOptions = {
  out: option('-o, --out <file>', 'Write to this file (mode 0600); it appears when the export is complete', (z) =>
    z.string().min(1).optional(),
  ),
  force: flag('--force', 'Overwrite an existing file'),
  confirm: option('--confirm <word>', 'Include hashes, tokens and other secrets: "secrets"', (z) =>
    z.enum(['secrets'], 'expected secrets').optional(),
  ),
  withSigningKeys: flag('--with-signing-keys', 'Include the private keys that sign tokens; needs --confirm secrets'),
  format: option('--format <name>', 'Write the form of another system', (z) =>
    z.enum(['auth0', 'keycloak', 'better-auth-sql', 'csv']).optional(),
  ),
  dialect: option('--dialect <name>', 'Database of --format better-auth-sql [sqlite]', (z) =>
    z.enum(['sqlite', 'mysql', 'postgres']).optional(),
  ),
  targetSecret: text('--target-secret <file>', 'File with the secret of better-auth, for second factors and signing keys'),
  realm: text('--realm <name>', 'Realm of --format keycloak [latchkey]'),
}
type ExportContext = Context<ValuesOf<typeof exportAllOptions>>

export const exportAllCommand = command('all', 'Export everything, also for other systems', {
  description:
    'Writes users, organizations, API keys and the like as one JSON document per line (NDJSON, export-all/v1), as of one moment; see docs/moving-out.md. `import all` reads it. With --confirm secrets the file has password hashes, secrets of authenticator apps and tokens of providers in plain text: anyone who gets it can guess passwords offline and make codes. Without it the file has none, and cannot be imported. --format writes the users for another system, and lists what that system cannot take. Works while the daemon serves.',
  examples: [
    'latchkey export all --out all.ndjson --confirm secrets',
    'latchkey export all --out report.ndjson',
    'latchkey export all --out all.ndjson --confirm secrets --with-signing-keys',
    'latchkey export all --format keycloak --out realm.json --confirm secrets',
    'latchkey export all --format csv --out users.csv',
  ],
  options: exportAllOptions,
  usesDatabase: true,
  exitCodes: [5],
  deadline: 86_400,
  action: async (context) => {
    const { options, output, cwd } = context
    checkOptions(context)
    const { resolve } = await import('node:path')
    const file = options.out === undefined ? null : resolve(cwd, options.out)
    if (file !== null && !options.force) checkAbsent(file)
    const { lines, losses } = await writeExport(context, file)
    for (const [reason, count] of losses) output.warn(`Not in the file: ${count}, ${reason}`)
    if (file !== null) output.result('export-all-result/v1', { lines, file, losses: Object.fromEntries(losses) }, [])
    if (output.closed.aborted) return output.warn('Stopped: the reader closed standard output')
    const where = file === null ? '' : ` to ${file}`
    output.success(`Exported ${counted(lines, 'line')}${where}${options.confirm ? ', with secrets' : ', without secrets'}`)
  },
})

/** @throws Failure USAGE */
function checkOptions({ options }: ExportContext): void {
  const { confirm, format, withSigningKeys, dialect, targetSecret, realm } = options
  if (withSigningKeys && confirm === undefined) throw usageError('--with-signing-keys: needs --confirm secrets')
  if (format !== 'better-auth-sql' && (dialect ?? targetSecret) !== undefined)
    throw usageError(`${dialect === undefined ? '--target-secret' : '--dialect'}: only with --format better-auth-sql`)
  if (format !== 'keycloak' && realm !== undefined) throw usageError('--realm: only with --format keycloak')
}

interface Written {
  readonly lines: number
  /** What the format cannot carry, with counts by reason. */
  readonly losses: ReadonlyMap<string, number>
}

async function writeExport(context: ExportContext, file: string | null): Promise<Written> {
  const { options } = context
  const secrets = { secrets: options.confirm !== undefined, signingKeys: options.withSigningKeys }
  const [{ exportAll }, { openFormat }] = [
    await import('../../features/export-all/index.ts'),
    await import('../../features/export-all/formats/index.ts'),
  ]
  const secret = options.targetSecret === undefined ? null : await readSecret(context, options.targetSecret)
  const { app } = await context.openReadyApp({ mode: secrets.secrets ? 'write' : 'read' })
  const { format, dialect: database = 'sqlite', realm = 'latchkey' } = options
  const writer = format === undefined ? null : openFormat(app, format, { database, secret, realm })
  const work = (append: (written: string) => Promise<boolean>) =>
    exportAll(app, { ...secrets, format: format ?? 'export-all/v1', writer, append, signal: context.signal })
  try {
    const lines = file === null ? await toOutput(context, work) : await toFile(file, work)
    return { lines, losses: writer?.losses ?? new Map() }
  } catch (error) {
    throw asFailure(error)
  }
}

/** A secret that is left out would lock its user out. */
function asFailure(error: unknown): unknown {
  if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'SECRET_UNKNOWN') return error
  return new Failure('EXPORT_SECRET_MISSING', 'A stored value was encrypted with a secret that is not configured any more', {
    exitCode: exitCodes.refused,
    hint: 'Add the former secret as the last entry of secret, and export again. latchkey doctor counts what it made.',
    cause: error,
  })
}

type Work = (append: (written: string) => Promise<boolean>) => Promise<number>

async function toOutput({ output }: ExportContext, work: Work): Promise<number> {
  return work(async (written) => {
    output.write(written)
    await output.drained()
    return !output.closed.aborted
  })
}

async function toFile(file: string, work: Work): Promise<number> {
  let lines = 0
  await writeNewFile(file, async (append) => {
    lines = await work(async (written) => {
      await append(written)
      return true
    })
  })
  return lines
}

/** @throws Failure USAGE */
async function readSecret({ cwd }: ExportContext, name: string): Promise<string> {
  const { resolve } = await import('node:path')
  const { readFile } = await import('node:fs/promises')
  const [secret = ''] = (await readFile(resolve(cwd, name), 'utf8')).split(/\r?\n/)
  if (secret !== '') return secret
  throw usageError(`--target-secret: ${name} is empty`, 'Write the secret of better-auth into its first line.')
}
