/** Configuration of `latchkey dev`: everything embedded, regardless of the configured servers, addresses and keys. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { random } from '../adapters/system.ts'
import type { ConfigFile } from '../features/index.ts'
import { type ConfigOverride, type LoadConfigOptions, type LoadedConfig, loadConfig } from '../project/load-config.ts'
import type { StartOrder } from './messages.ts'
import { stateFolder } from './state.ts'

/** For a folder without a configuration file. */
const builtIn: ConfigFile = {
  emailAndPassword: { enabled: true },
  emailVerification: { sendOnSignUp: true },
  user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
  admin: true,
  openAPI: true,
}

/** Pages of development servers: Vite has port 5173, Next.js 3000. */
export const localOrigins = ['http://localhost:*', 'http://127.0.0.1:*']

/** Number of ports to try when the configured one is in use. */
const maxPorts = 100

export const databasePath = (directory: string): string => join(stateFolder(directory), 'dev.db')

/**
 * @returns the configuration with a free port, and the configured port
 * @throws Failure as `loadConfig` does
 */
export async function loadDevelopmentConfig(
  order: StartOrder,
  onBlocked: LoadConfigOptions['onBlocked'],
): Promise<{ loaded: LoadedConfig; configuredPort: number }> {
  const load = (directory: string, more: readonly ConfigOverride[]) =>
    loadConfig({
      cwd: order.cwd,
      configFlag: order.config ?? undefined,
      env: process.env,
      onBlocked,
      fallback: builtIn,
      addedOrigins: localOrigins,
      overrides: [...embedded(directory), ...order.overrides, ...more],
    })
  // First only for the folder of the project and its port.
  const { config, directory } = await load(order.cwd, [at('baseURL', 'http://localhost')])
  const configuredPort = config.server.port
  const isGiven = order.overrides.some(({ path }) => path === 'server.port')
  const port =
    order.address?.port ??
    (isGiven && configuredPort !== 0 ? configuredPort : await findFreePort(config.server.host, configuredPort))
  // After a reload the worker compares the daemon's address with the configured port, not with the free one.
  const serverPort = order.address ? [] : [at('server.port', port)]
  const loaded = await load(directory, [at('baseURL', `http://localhost:${port}`), ...serverPort])
  return { loaded, configuredPort }
}

const at = (path: string, value: unknown): ConfigOverride => ({ path, value, origin: 'latchkey dev' })

/** Settings of a production installation that `dev` replaces. */
const embedded = (directory: string): ConfigOverride[] => [
  at('environment', 'development'),
  at(
    'secret',
    readOrCreate(join(stateFolder(directory), 'dev-secret'), () => random.token(48)),
  ),
  at('database.url', `sqlite:${databasePath(directory)}`),
  at('redis', false),
  // Email addresses in a development database may be real.
  at('mail.catch', true),
  at('sms.catch', true),
  at('rateLimit.storage', 'memory'),
  // The mailbox and its links are for this machine only.
  at('server.host', '127.0.0.1'),
  at('openAPI', true),
  at('server.workers', 1),
  // The audit log has a page; its lines would hide the few that a developer needs.
  at('audit.log', false),
  at('server.drainTimeout', 2),
  at('advanced.useSecureCookies', false),
  at('advanced.crossSubDomainCookies', false),
  at('advanced.defaultCookieAttributes', {}),
]

/** @returns the content of the file, which is created when missing, readable by its owner only */
export function readOrCreate(path: string, create: () => string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(path, `${create()}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFileSync(path, 'utf8').trim()
}

/**
 * The configured port, or the next free one. When none is free, the configured one again, so that listening fails.
 * For 0 any free one: links contain the port before the daemon listens.
 */
async function findFreePort(host: string, configuredPort: number): Promise<number> {
  for (let port = configuredPort; port < configuredPort + maxPorts && port <= 65_535; port += 1) {
    const free = await probe(host, port)
    if (free !== null) return free
  }
  return configuredPort
}

/** @returns the port when it is free, else null */
async function probe(host: string, port: number): Promise<number | null> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<number | null>()
  server.once('error', () => resolve(null))
  // `exclusive`: otherwise the cluster module opens the port in the supervisor, which keeps it.
  server.listen({ host, port, exclusive: true }, () => {
    const address = server.address()
    server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null))
  })
  return promise
}
