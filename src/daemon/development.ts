/** `latchkey dev`: everything embedded, whatever the configuration says about servers, addresses and keys. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { random } from '../adapters/random.ts'
import type { OpenApp } from '../app.ts'
import { type ConfigOverride, type LoadedConfig, loadConfig } from '../cli/load-config.ts'
import { extend } from '../core/app.ts'
import type { SeedOptions } from '../core/seed.ts'
import { changePassword, findCredentialAccount } from '../features/accounts/index.ts'
import type { ConfigFile } from '../features/index.ts'
import { findUserByEmail } from '../features/users/index.ts'
import type { DevelopmentAccess, Order } from './messages.ts'
import { stateFolder } from './state.ts'

/** For a folder without a configuration. */
const builtIn: ConfigFile = { emailAndPassword: { enabled: true }, openAPI: true }

const adminEmail = 'admin@localhost.test'
/** How many ports above a taken one are tried. */
const attempts = 100

export const databasePath = (directory: string): string => join(stateFolder(directory), 'dev.db')

/**
 * @returns the configuration, whose port is a free one; and the port that was asked for
 * @throws CliFailure as `loadConfig` does
 */
export async function loadDevelopmentConfig(order: Order): Promise<{ loaded: LoadedConfig; wantedPort: number }> {
  const load = (directory: string, more: readonly ConfigOverride[]) =>
    loadConfig({
      ...order,
      env: process.env,
      fallback: builtIn,
      overrides: [...embedded(directory), ...order.overrides, ...more],
    })
  // The first time only to learn where the project is and which port it wants.
  const { config, directory } = await load(order.cwd, [at('baseURL', 'http://localhost')])
  const wanted = config.server.port
  const isGiven = order.overrides.some(({ path }) => path === 'server.port')
  const port = order.address?.port ?? (isGiven && wanted !== 0 ? wanted : await findFreePort(config.server.host, wanted))
  // An address that is there already is compared with the port that was asked for, not with the one that was free.
  const serverPort = order.address ? [] : [at('server.port', port)]
  const loaded = await load(directory, [at('baseURL', `http://localhost:${port}`), ...serverPort])
  return { loaded, wantedPort: wanted }
}

const at = (path: string, value: unknown): ConfigOverride => ({ path, value, origin: 'latchkey dev' })

/** What belongs to an installation and not to a developer's machine. */
const embedded = (directory: string): ConfigOverride[] => [
  at('environment', 'development'),
  at(
    'secret',
    readOrCreate(join(stateFolder(directory), 'dev-secret'), () => random.token(48)),
  ),
  at('database.url', `sqlite:${databasePath(directory)}`),
  at('redis', false),
  // Caught instead of sent: a developer's addresses may be real ones.
  at('mail.catch', true),
  at('rateLimit.storage', 'memory'),
  at('server.workers', 1),
  at('server.drainTimeout', 2),
  at('advanced.useSecureCookies', false),
  at('advanced.crossSubDomainCookies', false),
  at('advanced.defaultCookieAttributes', {}),
]

/** @returns what the file holds; it is made, readable by its owner only, when it is not there */
function readOrCreate(path: string, make: () => string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(path, `${make()}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFileSync(path, 'utf8').trim()
}

/**
 * The wanted port, or the next free one above it; the wanted one again when there is none, for the error that follows.
 * For 0 any free one: links need it before somebody listens.
 */
async function findFreePort(host: string, wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + attempts && port <= 65_535; port += 1) {
    const free = await probe(host, port)
    if (free !== null) return free
  }
  return wanted
}

/** @returns the port when one can listen on it, else null */
async function probe(host: string, port: number): Promise<number | null> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<number | null>()
  server.once('error', () => resolve(null))
  // `exclusive`: a worker would otherwise ask the supervisor, who would keep the port.
  server.listen({ host, port, exclusive: true }, () => {
    const address = server.address()
    server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null))
  })
  return promise
}

/**
 * An administrator with a password made for this machine. It is kept on the developer's own disk, readable by its owner, so
 * that it can be shown at every start: it opens nothing but the embedded database beside it.
 */
export async function seedDevelopmentAdmin({ app }: OpenApp, directory: string): Promise<DevelopmentAccess['admin']> {
  if (!app.config.emailAndPassword.enabled) return null
  const length = Math.max(24, app.config.emailAndPassword.minPasswordLength)
  const admin = readAdmin(join(stateFolder(directory), 'dev-admin.json'), length)
  const roles = { admin: allPermissions(app.features), ...app.config.seed.roles }
  const seed = {
    ...app.config.seed,
    roles,
    admins: [{ email: admin.email, name: 'Admin', role: 'admin', passwordEnv: 'password' }],
  }
  const seeded = extend(app, { config: { ...app.config, seed } })
  const options: SeedOptions = { dryRun: false, prune: false, readSecret: () => admin.password }
  for (const feature of app.features) await feature.seed?.(seeded, options)
  await correctPassword(app, admin)
  return admin
}

const allPermissions = (features: OpenApp['app']['features']): Record<string, string[]> =>
  Object.fromEntries(
    features.flatMap(({ permissions = {} }) =>
      Object.entries(permissions).map(([resource, actions]) => [resource, [...actions]]),
    ),
  )

interface Admin {
  readonly email: string
  readonly password: string
}

function readAdmin(path: string, length: number): Admin {
  const make = (): Admin => ({ email: adminEmail, password: random.token(length) })
  const admin: unknown = JSON.parse(readOrCreate(path, () => JSON.stringify(make())))
  if (isAdmin(admin) && admin.password.length >= length) return admin
  const fresh = make()
  writeFileSync(path, `${JSON.stringify(fresh)}\n`, { mode: 0o600 })
  return fresh
}

const isAdmin = (value: unknown): value is Admin =>
  typeof value === 'object' &&
  value !== null &&
  'email' in value &&
  'password' in value &&
  typeof value.email === 'string' &&
  typeof value.password === 'string'

/** What is shown must open, also when the file was removed and made anew. */
async function correctPassword(app: OpenApp['app'], { email, password }: Admin): Promise<void> {
  const user = await findUserByEmail(app, email)
  const account = user && (await findCredentialAccount(app, user.id))
  if (!user || !account?.password || (await app.hasher.verify(account.password, password))) return
  await changePassword(app, user.id, { passwordHash: await app.hasher.hash(password) })
}
