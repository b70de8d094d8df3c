import type { App } from '../core/app.ts'
import type { SigningKeyView } from '../features/jwt/index.ts'
import { counted } from '../lib/text.ts'
import { Failure } from '../project/failure.ts'
import type { SecretReport } from '../project/secret-report.ts'
import { argument, command, flag, group, option } from './command.ts'

const dryRun = flag('-n, --dry-run', 'Show what would change, and change nothing')

const list = command('list', 'List signing keys and secrets', {
  description:
    'Shows the keys that sign JSON Web Tokens, with algorithm, state and times; and the configured secrets by their IDs, with the number of rows that need each, 10,000 at most. Never shows a private key or a secret. Events of the audit log are not counted: they are verified with the secret that recorded them.',
  examples: ['latchkey keys list', 'latchkey keys list --json | jq .secrets'],
  usesDatabase: true,
  deadline: 300,
  action: async (context) => {
    const { output } = context
    const { reportSecrets } = await import('../project/secret-report.ts')
    const { app } = await context.openReadyApp({ mode: 'read', tables: ['user'] })
    const signingKeys = app.config.jwt.enabled ? await readKeys(app) : []
    const secrets = await reportSecrets(app)
    const disabled = app.config.jwt.enabled ? 'None yet: the first token creates one' : 'None: jwt is off'
    output.result('keys-list/v1', { signingKeys, secrets }, [
      output.paint.bold('Signing keys'),
      ...(signingKeys.length > 0 ? signingKeys.map(describeKey) : [disabled]),
      '',
      output.paint.bold('Secrets'),
      ...secrets.map((secret) => describeSecret(app, secret)),
    ])
  },
})

/** Newest first. */
async function readKeys(app: App): Promise<SigningKeyView[]> {
  const { describeKey: viewOf, listKeys } = await import('../features/jwt/index.ts')
  return (await listKeys(app)).map((key) => viewOf(app, key)).reverse()
}

function describeKey({ kid, status, algorithm, ...key }: SigningKeyView): string {
  const time = (date: Date | null) => date?.toISOString() ?? '-'
  const next = {
    upcoming: `signs from ${time(key.activatesAt)}`,
    current: key.endsAt
      ? `signs until ${time(key.endsAt)}`
      : `rotates ${key.rotatesAt ? time(key.rotatesAt) : 'by command only'}`,
    retired: `published until ${time(key.publishedUntil)}`,
  }[status]
  const problem = key.isReadable ? '' : '  its secret is not configured'
  return `${kid}  ${status.padEnd(8)}  ${algorithm.padEnd(5)}  created ${time(key.createdAt)}  ${next}${problem}`
}

function describeSecret({ features }: App, { id, status, uses }: SecretReport): string {
  const nouns = features.flatMap(({ secretUses = {} }) => Object.entries(secretUses).map(([name, { noun }]) => [name, noun]))
  const nounOf: Readonly<Record<string, string>> = Object.fromEntries(nouns)
  const parts = Object.entries(uses).flatMap(([name, count]) => {
    const noun = nounOf[name] ?? name
    if (count === 0) return []
    return [count === null ? `${noun}s not counted in time` : counted(count, noun)]
  })
  return `${id}  ${status.padEnd(8)}  ${parts.length > 0 ? parts.join(', ') : 'no rows need it'}`
}

/** @throws Failure TOKENS_DISABLED */
function requireTokens({ config }: App): void {
  if (config.jwt.enabled) return
  throw new Failure('TOKENS_DISABLED', 'JSON Web Tokens are disabled: jwt is off', {
    hint: 'Set jwt: true in the configuration. On MySQL, then run latchkey migrate generate and latchkey migrate up.',
  })
}

const rotate = command('rotate', 'Rotate the signing key', {
  description:
    'Publishes a new key, which signs after jwt.jwks.activationDelay, so that verifiers can fetch it first. Tokens of the current key stay valid. If a rotation is in progress, it changes nothing.',
  examples: ['latchkey keys rotate', 'latchkey keys rotate --dry-run'],
  options: { dryRun },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { options, output } = context
    const { describeKey: viewOf, rotateKeys } = await import('../features/jwt/index.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: ['jwks'] })
    requireTokens(app)
    if (options.dryRun) {
      const upcoming = (await readKeys(app)).find(({ status }) => status === 'upcoming')
      output.result('keys-rotate/v1', { key: upcoming ?? null, isCreated: false }, [])
      output.info(upcoming ? `Nothing would change: ${inProgress(upcoming)}` : 'A new key would be published')
      return
    }
    const { key, isCreated } = await rotateKeys(app)
    const view = viewOf(app, key)
    output.result('keys-rotate/v1', { key: view, isCreated }, [])
    if (isCreated) output.success(`Published ${view.kid}. It signs from ${view.activatesAt.toISOString()}`)
    else output.info(inProgress(view))
  },
})

const inProgress = ({ kid, activatesAt }: SigningKeyView) =>
  `${kid} is published already, and signs from ${activatesAt.toISOString()}`

const retire = command('retire', 'Retire a signing key', {
  description:
    'Signing switches to another key immediately. Without --remove-now, the tokens of the key stay valid until they expire. With it they are rejected, because the key is not published any more: for a key that is compromised. Confirm --remove-now by typing the ID of the key, or with --confirm; --yes is not enough.',
  examples: [
    'latchkey keys retire q8Zt3VxLw2Rr8Yp5Xn1Bc7Md4Gh6Js0F',
    'latchkey keys retire q8Zt3VxLw2Rr8Yp5Xn1Bc7Md4Gh6Js0F --remove-now',
  ],
  arguments: { kid: argument('<kid>', 'ID of the key, from `keys list`', (z) => z.string().min(1).max(36)) },
  options: {
    removeNow: flag('--remove-now', 'Reject the tokens of the key'),
    confirm: option('--confirm <kid>', 'Confirm --remove-now with the ID of the key', (z) => z.string().optional()),
    dryRun,
  },
  usesDatabase: true,
  exitCodes: [4, 5],
  deadline: 60,
  action: async (context) => {
    const { output, prompt } = context
    const { kid, removeNow, confirm, dryRun: isDryRun } = context.options
    const { describeKey: viewOf, retireKey } = await import('../features/jwt/index.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: ['jwks'] })
    requireTokens(app)
    const key = await getKey(app, kid, removeNow)
    const effect = removeNow || key.status === 'upcoming' ? 'removed' : 'retired'
    if (isDryRun) {
      output.result('keys-retire/v1', { retired: key, current: null }, [])
      return output.info(`${kid} would be ${effect}`)
    }
    if (removeNow) await prompt.confirmName({ message: `All tokens of ${kid} become invalid.`, name: kid, given: confirm })
    else if (!(await prompt.confirm(`Retire ${kid}, so that another key signs immediately?`)))
      throw new Failure('NOT_CONFIRMED', 'Not confirmed', { exitCode: 5, hint: 'Nothing was changed.' })
    const { signing, retired } = await retireKey(app, kid, removeNow)
    const [current, view] = [viewOf(app, signing), retired && viewOf(app, retired)]
    output.result('keys-retire/v1', { retired: view, current }, [])
    output.success(`${effect === 'removed' ? 'Removed' : 'Retired'} ${kid}. The current key is ${current.kid}`)
    if (view?.publishedUntil) output.info(`Its tokens stay valid; it is published until ${view.publishedUntil.toISOString()}`)
  },
})

/** @throws Failure SIGNING_KEY_NOT_FOUND, SIGNING_KEY_ALREADY_RETIRED */
async function getKey(app: App, kid: string, removeNow: boolean): Promise<SigningKeyView> {
  const key = (await readKeys(app)).find((one) => one.kid === kid)
  if (!key)
    throw new Failure('SIGNING_KEY_NOT_FOUND', `There is no signing key ${kid}`, { hint: 'List them: latchkey keys list' })
  if (key.status !== 'retired' || removeNow) return key
  throw new Failure('SIGNING_KEY_ALREADY_RETIRED', `The signing key ${kid} is already retired`, {
    hint: 'To reject its tokens, add --remove-now.',
  })
}

export const keys = group('keys', 'List, rotate and retire signing keys', {
  examples: ['latchkey keys list', 'latchkey keys rotate'],
  commands: [list, rotate, retire],
})
