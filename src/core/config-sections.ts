/** The sections that no feature owns: where the daemon listens, what it is connected to, how it signs. */
import { z } from 'zod'
import { apiErrorConfig } from './api-errors.ts'
import { callHooksConfig } from './call-hooks.ts'
import { addressWithPassword, callback, group, secret, section } from './config.ts'
import { databaseHooksConfig } from './database-hooks.ts'
import { idConfig } from './ids.ts'
import type { IdentifiedMail, Mail, RateLimitRule } from './ports.ts'

const seconds = (text: string) => z.int().positive().describe(`${text}, in seconds`)
const milliseconds = (text: string) => z.int().positive().describe(`${text}, in milliseconds`)

const sameSite = z.enum(['lax', 'strict', 'none', 'Lax', 'Strict', 'None'])
const cookieAttributes = z.strictObject({
  maxAge: z.int().nonnegative().optional(),
  domain: z.string().optional(),
  path: z.string().optional(),
  httpOnly: z.boolean().optional(),
  secure: z.boolean().optional(),
  sameSite: sameSite.optional(),
  partitioned: z.boolean().optional(),
})

const connection = (standard: string) => ({
  tls: z.enum(['verify', 'off']).optional().describe(standard),
  ca: z.string().optional().describe('Path of a PEM file with the certificate authority to trust'),
})

const rule = z.strictObject({
  window: seconds('Length of the window'),
  max: z.int().positive().describe('Calls allowed in the window'),
})

type Send = (mail: IdentifiedMail & { readonly from: string }) => unknown
type Template = (data: Readonly<Record<string, unknown>>) => Pick<Mail, 'subject' | 'text' | 'html'>

export const coreConfig = {
  ...databaseHooksConfig,
  ...callHooksConfig,
  ...apiErrorConfig,
  appName: z.string().min(1).max(100).default('Latchkey').describe('Shown on pages and in mails'),
  environment: z
    .enum(['production', 'development'])
    .default('production')
    .describe(
      '`development` relaxes limits and start-up checks; filled from NODE_ENV, and always `development` under `latchkey dev`',
    ),
  baseURL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Public origin of the daemon, such as https://accounts.example.com; a path in it replaces basePath'),
  basePath: z
    .string()
    .regex(/^(\/[\w\-.]+)+$/, 'Expected a path such as /api/auth')
    .default('/api/auth')
    .describe('Where the API is mounted'),
  secret: secret(z.union([z.string(), z.array(z.string()).min(1)]).optional()).describe(
    'Signing and encryption secret, 32 characters or more; a list, newest first, rotates it without signing anybody out',
  ),
  trustedOrigins: z
    .union([z.array(z.string()), callback<(request: Request) => string[] | Promise<string[]>>()])
    .default([])
    .describe('Origins that may call the API from a browser and be redirected to; `*` is a wildcard'),
  disabledPaths: z.array(z.string().startsWith('/')).default([]).describe('Calls that answer 404, as paths below basePath'),
  server: group('Where and how the daemon listens', {
    host: z.string().default('127.0.0.1').describe('Address to listen on'),
    port: z.int().min(0).max(65_535).default(4000).describe('Port to listen on; 0 takes a free one'),
    workers: z.int().min(1).max(256).default(1).describe('Processes that serve calls'),
    trustedProxies: z
      .array(z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()]))
      .default([])
      .describe('Addresses and networks whose forwarding headers are believed'),
    bodyLimit: z.int().positive().default(1_048_576).describe('Largest body that is read, in bytes'),
    drainTimeout: seconds('How long calls under way may take when a worker stops').default(10),
    allowPlainHTTP: z.boolean().default(false).describe('Accept a public baseURL that begins with http:'),
    private: group('The private listener: metrics, readiness with reasons', {
      port: z.int().min(1).max(65_535).optional().describe('Also listen on this port; without it on a socket in .latchkey only'),
      host: z.string().default('127.0.0.1').describe('Address of that port'),
      token: secret(z.string().min(20).optional()).describe(
        'Bearer token asked for on that port; required unless host is loopback',
      ),
    }),
  }),
  database: group('The database', {
    url: addressWithPassword(z.string().optional()).describe(
      'mysql://user:password@host:3306/name or sqlite:./file.db; filled from DATABASE_URL',
    ),
    ...connection('Default: verified TLS to every host but loopback; `off` speaks plainly'),
    poolSize: z.int().min(2).max(1000).default(10).describe('Connections of each worker; migrations need two'),
    connectTimeout: milliseconds('Deadline for opening a connection').default(5000),
    queryTimeout: milliseconds('Deadline for one statement').default(10_000),
    preparedStatements: z
      .boolean()
      .default(true)
      .describe('Prepare the statements of frequent calls on the server; a proxy in between may not know how'),
  }),
  redis: section('Redis, for counters and short-lived caches; absent: in process', {
    url: addressWithPassword(z.string().optional()).describe('redis://host:6379 or rediss://host:6379; filled from REDIS_URL'),
    cluster: z
      .array(addressWithPassword(z.string()))
      .min(1)
      .optional()
      .describe('Nodes of a cluster, as addresses, in place of url'),
    sentinel: z
      .strictObject({ nodes: z.array(addressWithPassword(z.string())).min(1), name: z.string() })
      .optional()
      .describe('Sentinels, as addresses, and the name of the master, in place of url'),
    ...connection('Default: as the address says, and a plain one must be loopback unless `off` is written here'),
    keyPrefix: z.string().default('latchkey:').describe('Begins every key'),
    commandTimeout: milliseconds('Deadline for one command').default(500),
  }),
  rateLimit: group('Limits by address and path', {
    enabled: z.boolean().optional().describe('Default: in production'),
    window: seconds('Length of the default window').default(10),
    max: z.int().positive().default(100).describe('Calls allowed in the default window'),
    customRules: z
      .record(
        z.string(),
        z.union([
          rule,
          z.literal(false),
          callback<(request: Request) => RateLimitRule | false | Promise<RateLimitRule | false>>(),
        ]),
      )
      .default({})
      .describe('Path, exact or with `*`, to a rule, to `false` for none, or to a function of the request; the first match wins'),
    storage: z
      .enum(['memory', 'database', 'secondary-storage'])
      .optional()
      .describe('Default: secondary-storage (Redis) when configured, else memory'),
    customStorage: z
      .strictObject({
        get: callback<(key: string) => Promise<StoredRateLimit | null | undefined>>(),
        set: callback<(key: string, value: StoredRateLimit) => Promise<void>>(),
      })
      .optional()
      .describe('A store of your own; it cannot be exact under concurrency'),
  }),
  passwordHash: group('Cost of a password hash (argon2id, RFC 9106)', {
    memory: z.int().min(8192).max(4_194_304).default(19_456).describe('Memory, in KiB'),
    iterations: z.int().min(1).max(100).default(2).describe('Passes over the memory'),
    parallelism: z.int().min(1).max(64).default(1).describe('Lanes'),
    concurrency: z.int().min(1).max(128).optional().describe('Hashes at once in each worker; default: the number of cores'),
    queue: z.int().min(0).max(10_000).default(64).describe('Hashes that may wait in each worker; more are refused with 503'),
  }),
  mail: section('Mail', {
    from: z.string().min(3).max(320).optional().describe('Sender, such as Acme <no-reply@acme.example>'),
    smtp: addressWithPassword(z.string().optional()).describe(
      'smtp://user:password@host:587 (STARTTLS) or smtps://host:465; filled from SMTP_URL',
    ),
    tls: z.enum(['verify', 'off']).optional().describe('Default: verified TLS to every host but loopback; `off` speaks plainly'),
    ca: z.string().optional().describe('Path of a PEM file with the certificate authority to trust'),
    send: callback<Send>().optional().describe('A function of your own that delivers, in place of SMTP'),
    templates: z
      .record(z.string(), callback<Template>())
      .default({})
      .describe(
        'Kind of mail (verification, reset-password, change-email, delete-account, account-exists) to a function of its data',
      ),
    catch: z.boolean().default(false).describe('Keep mails and show them at /mailbox instead of sending them; for development'),
  }),
  log: group('The log', {
    level: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('Least level that is written'),
    file: z.string().default('.latchkey/daemon.log').describe('Where `start --detach` writes, relative to the configuration'),
  }),
  advanced: group('Cookies, addresses and checks', {
    ipAddress: group('How the client address is found', {
      ipAddressHeaders: z.array(z.string()).default(['x-forwarded-for']).describe('Headers of trusted proxies, in order'),
      disableIpTracking: z.boolean().default(false).describe('Store no addresses; limits then count by the connection'),
    }),
    ...idConfig,
    useSecureCookies: z.boolean().optional().describe('Default: when baseURL begins with https:'),
    disableCSRFCheck: z.boolean().default(false).describe('Skip the check of the Origin header'),
    requireOrigin: z
      .boolean()
      .default(false)
      .describe('Refuse calls that bring cookies and neither Origin nor Referer, as better-auth 1.7 does'),
    crossSubDomainCookies: section('Share the session cookie among sub-domains', {
      domain: z.string().optional().describe('Default: the host of baseURL'),
    }),
    cookies: z
      .record(z.string(), z.strictObject({ name: z.string().optional(), attributes: cookieAttributes.optional() }))
      .default({})
      .describe('Name and attributes by key: session_token, session_data, dont_remember, known_device'),
    defaultCookieAttributes: cookieAttributes.default({}).describe('Attributes of every cookie'),
    cookiePrefix: z
      .string()
      .regex(/^[\w-]+(\.[\w-]+)*$/)
      .default('latchkey')
      .describe('Begins every cookie name; `better-auth` for applications that look for that name'),
  }),
} as const

/** The reference's rate limit record, for stores of the installation's own. */
export interface StoredRateLimit {
  readonly key: string
  readonly count: number
  /** Milliseconds since 1970. */
  readonly lastRequest: number
}
