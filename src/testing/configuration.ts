/** The configuration of an app, changed so that a test needs nothing else. */
import { random } from '../adapters/system.ts'
import { type Config, type ConfigFile, featureList } from '../features/index.ts'
import { configParser } from '../project/config/parse-config.ts'
import { completeConfig, withValue } from '../project/environment.ts'

/** The schema of all options is large: built once for all daemons of a process. */
let parser: ReturnType<typeof configParser> | undefined

/** Everything is embedded and nothing leaves the process, whatever the configuration names. */
const embedded = (origin: string, secret: ConfigFile['secret']): readonly (readonly [path: string, value: unknown])[] => [
  ['environment', 'development'],
  ['baseURL', origin],
  ['database.url', 'sqlite::memory:'],
  ['redis', false],
  ['secret', secret ?? random.token(48)],
  ['mail.catch', true],
  ['sms.catch', true],
  ['server.host', '127.0.0.1'],
  ['rateLimit.storage', 'memory'],
  ['audit.log', false],
  // The least that is allowed: tests create many users, and guess no hashes.
  ['passwordHash', { memory: 8192, iterations: 1 }],
  ['advanced.useSecureCookies', false],
  ['advanced.crossSubDomainCookies', false],
  ['advanced.defaultCookieAttributes', {}],
]

interface Given {
  readonly config: ConfigFile
  readonly rateLimits: boolean
  readonly directory: string
}

/** @throws Error with all problems of the configuration */
export function testConfiguration(origin: string, { config: given, rateLimits, directory }: Given): Config {
  const changes = [...embedded(origin, given.secret), ...(rateLimits ? [] : [['rateLimit.enabled', false] as const])]
  const changed = changes.reduce<object>((all, [path, value]) => withValue(all, path.split('.'), value), given)
  // No variables of the environment: a test must not depend on the machine.
  const addedOrigins = ['http://localhost:*', 'http://127.0.0.1:*']
  const { input } = completeConfig({ ...changed }, { env: {}, directory, overrides: [], addedOrigins })
  parser ??= configParser(featureList)
  const parsed = parser(input)
  if ('config' in parsed) return parsed.config
  const problems = parsed.issues.map(({ path, message }) => `${path}: ${message}`)
  throw new Error(`The configuration is invalid. ${problems.join(' ')}`)
}
