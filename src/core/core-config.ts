/** The options that no feature owns. */
import { z } from 'zod'
import { addressWithPassword, callback, group, secret, section } from './config.ts'
import { cookieAttributes } from './cookies.ts'

const seconds = (text: string) => z.int().positive().describe(`${text}, in seconds`)
const milliseconds = (text: string) => z.int().positive().describe(`${text}, in milliseconds`)

const privatePort = (text: string) => z.int().min(1).max(65_535).optional().describe(text)
const privateHost = (text: string) => z.string().default('127.0.0.1').describe(text)
const privateToken = (text: string) => secret(z.string().min(20).optional()).describe(text)

const connection = (standard: string) => ({
  tls: z.enum(['verify', 'off']).optional().describe(standard),
  ca: z.string().optional().describe('Path of a PEM file with the certificate authority to trust'),
})

export const coreConfig = {
  appName: z.string().min(1).max(100).default('Latchkey').describe('Name of the application, shown on pages and in emails'),
  environment: z
    .enum(['production', 'development'])
    .default('production')
    .describe(
      '`development` relaxes limits and start-up checks; NODE_ENV sets it if the file does not; `latchkey dev` always uses `development`',
    ),
  baseURL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Public URL of the daemon, such as https://accounts.example.com; a path in it replaces basePath'),
  basePath: z
    .string()
    .regex(/^(\/[\w\-.]+)+$/, 'Expected a path such as /api/auth')
    .default('/api/auth')
    .describe('Path where the API is mounted'),
  secret: secret(z.union([z.string(), z.array(z.string()).min(1)]).optional()).describe(
    'Signing and encryption secret, at least 32 characters; a list, newest first, rotates it without signing users out',
  ),
  trustedOrigins: z
    .union([z.array(z.string()), callback<(request: Request) => string[] | Promise<string[]>>()])
    .default([])
    .describe('Origins that may call the API from a browser and be redirected to; `*` is a wildcard'),
  disabledPaths: z
    .array(z.string().startsWith('/'))
    .default([])
    .describe(
      'Paths below basePath whose calls return 404; a declared path such as /reset-password/:token covers all its values',
    ),
  server: group('HTTP server and worker processes', {
    host: z.string().default('127.0.0.1').describe('IP address to listen on'),
    port: z.int().min(0).max(65_535).default(4000).describe('Port to listen on; 0 chooses a free port'),
    workers: z.int().min(1).max(256).default(1).describe('Worker processes that serve requests'),
    trustedProxies: z
      .array(z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()]))
      .default([])
      .describe('IP addresses and networks of proxies whose forwarding headers are trusted'),
    bodyLimit: z
      .int()
      .positive()
      .default(131_072)
      .describe('Largest accepted request body, in bytes; forms are limited to 65,536 bytes and 100 fields'),
    drainTimeout: seconds('Time for running requests to finish when a worker stops').default(10),
    allowPlainHTTP: z.boolean().default(false).describe('Allow a public baseURL with http:'),
    private: group('Private listeners: for monitoring, and for calls of your own servers', {
      port: privatePort('Port of metrics, and of readiness with reasons; default: only a socket in .latchkey'),
      host: privateHost('IP address on which that port is opened'),
      token: privateToken('Bearer token that requests to that port need; required unless its host is loopback'),
      api: group('Calls of your own servers', {
        port: privatePort('Port of calls of your own servers, for any user; default: only a socket in .latchkey'),
        host: privateHost('IP address on which that port is opened'),
        token: privateToken('Bearer token that requests to that port need; required with a port'),
      }),
    }),
  }),
  database: group('Database connection', {
    url: addressWithPassword(z.string().optional()).describe(
      'mysql://user:password@host:3306/name or sqlite:./file.db; DATABASE_URL sets it if the file does not',
    ),
    ...connection('`verify`: TLS with a verified certificate, the default for every host except loopback; `off`: no TLS'),
    poolSize: z.int().min(2).max(1000).default(10).describe('Connections per worker; migrations need two'),
    connectTimeout: milliseconds('Timeout for opening a connection').default(5000),
    queryTimeout: milliseconds(
      'Timeout of a statement; all statements, repetitions and waits for locks and connections of one call have this time together',
    ).default(10_000),
    preparedStatements: z
      .boolean()
      .default(true)
      .describe('Use prepared statements for frequent queries; turn off for a database proxy that does not support them'),
    causalReads: z
      .boolean()
      .default(false)
      .describe(
        'In a Galera or Group Replication cluster, wait until a node has the latest writes of all nodes before each read',
      ),
  }),
  redis: section('Redis, for rate limits and short-lived caches; without it they are in memory', {
    url: addressWithPassword(z.string().optional()).describe(
      'redis://host:6379 or rediss://host:6379; REDIS_URL sets it if the file does not',
    ),
    cluster: z
      .array(addressWithPassword(z.string()))
      .min(1)
      .optional()
      .describe('URLs of the nodes of a cluster, instead of url'),
    sentinel: z
      .strictObject({
        nodes: z.array(addressWithPassword(z.string())).min(1).describe('URLs of the sentinels'),
        name: z.string().describe('Name of the master'),
      })
      .optional()
      .describe('URLs of the sentinels, and the name of the master, instead of url'),
    ...connection(
      '`verify`: TLS with a verified certificate, the default for rediss://; `off`: no TLS, needed for redis:// to another machine',
    ),
    keyPrefix: z.string().default('latchkey:').describe('Prefix of every key'),
    commandTimeout: milliseconds('Timeout of a command').default(500),
  }),
  log: group('Logging', {
    level: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('Lowest level that is logged'),
    file: z.string().default('.latchkey/daemon.log').describe('Log file of `start --detach`, relative to the project folder'),
  }),
  advanced: group('Advanced options', {
    ipAddress: group('IP address of the client', {
      ipAddressHeaders: z
        .array(z.string())
        .default(['x-forwarded-for'])
        .describe('Headers with the IP address of the client, in order of preference; read only from trusted proxies'),
      disableIpTracking: z.boolean().default(false).describe('Store no IP addresses; rate limits then count by connection'),
    }),
    database: group('IDs of rows', {
      generateId: z
        .custom<(row: { readonly model: string; readonly size: number }) => string>(
          (value) => typeof value === 'function',
          'Expected a function: IDs are generated before a row is inserted, never by the database',
        )
        .meta({ function: true })
        .optional()
        .describe(
          'Generates the IDs of users, sessions, accounts and verifications: `({ model, size }) => string`, unique, at most 36 printable ASCII characters. Default: 32 random letters and digits',
        ),
    }),
    useSecureCookies: z.boolean().optional().describe('Mark cookies as secure; default: if baseURL starts with https:'),
    disableCSRFCheck: z.boolean().default(false).describe('Disable the check of the Origin header'),
    requireOrigin: z
      .boolean()
      .default(false)
      .describe('Reject requests with cookies but neither Origin nor Referer, as better-auth 1.7 does'),
    crossSubDomainCookies: section('Share cookies across subdomains', {
      domain: z.string().optional().describe('Parent domain of all subdomains; default: the host of baseURL'),
    }),
    formerCookies: z
      .array(
        z.strictObject({
          domain: z.string().min(1).optional().describe('`Domain` that cookies had; default: none'),
          path: z.string().startsWith('/').optional().describe('`Path` that cookies had; default: /'),
        }),
      )
      .max(8)
      .default([])
      .describe(
        '`Domain` and `Path` that cookies had before `crossSubDomainCookies` or their attributes changed: cookies of these are deleted together with the present ones',
      ),
    defaultCookieAttributes: cookieAttributes.default({}).describe('Attributes of every cookie'),
    cookiePrefix: z
      .string()
      .regex(/^[\w-]+(\.[\w-]+)*$/)
      .default('latchkey')
      .describe(
        'Prefix of every cookie name; `better-auth` for applications that expect it; `__Host-latchkey` is the safest if no Domain is set',
      ),
  }),
} as const
