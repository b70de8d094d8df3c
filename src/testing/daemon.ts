/** A daemon within the process of a test: the same calls and pages over HTTP, on an embedded database in memory. */
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { openApp } from '../app.ts'
import { extend } from '../core/app.ts'
import type { Logger, Metrics } from '../core/ports.ts'
import { apiURL } from '../core/route.ts'
import type { ConfigFile } from '../features/index.ts'
import { dashboardFolder, openDashboard } from '../http/dashboard.ts'
import { createListener } from '../http/listener.ts'
import { createServer } from '../http/server.ts'
import { declareSchema, push } from '../migrate/index.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { testConfiguration } from './configuration.ts'
import { createFactories } from './factories.ts'
import { createMessages, type Messages } from './messages.ts'

export interface TestOptions {
  /** As in `auth.config.ts`. Databases and servers are replaced. Default: email and password, and a random secret. */
  readonly config?: ConfigFile
  /** Applies rate limits. Default: false. */
  readonly rateLimits?: boolean
  /** Serves the hosted pages, if the package contains them. Default: true. */
  readonly pages?: boolean
  /** Folder of the files that the configuration names. Default: the current one. */
  readonly directory?: string
}

export interface TestDaemon extends ReturnType<typeof createFactories>, AsyncDisposable {
  /** Address of the API with its base path: `baseURL` of clients and of `createSessionReader`. */
  readonly baseURL: string
  /** Address of the hosted pages. */
  readonly origin: string
  readonly clock: TestClock
  readonly mails: Messages
  readonly texts: Messages
  /** What was logged as a warning or an error, oldest first. */
  readonly problems: readonly string[]
  /** Resolves when all that calls have left until after their responses is done, such as deliveries. */
  settled(): Promise<void>
  /** Stops the daemon; its data is gone. Idempotent. */
  close(): Promise<void>
}

/**
 * Starts a daemon on a free port of this machine. Periodic jobs do not run.
 * @throws Error when the configuration is invalid
 */
export async function startLatchkey(options: TestOptions = {}): Promise<TestDaemon> {
  const { config: given = { emailAndPassword: { enabled: true } }, rateLimits = false, pages = true } = options
  const { directory = process.cwd() } = options
  let listener: RequestListener = (_, response) => void response.writeHead(503).end()
  const server = createHttpServer({ maxHeaderSize: 16_384 }, (request, response) => listener(request, response))
  // Its port is part of the configuration.
  const origin = `http://localhost:${await listen(server)}`
  try {
    const config = testConfiguration(origin, { config: given, rateLimits, directory })
    const clock = createTestClock()
    const problems: string[] = []
    const metrics: Metrics = { count: () => {}, observe: () => {} }
    const opened = await openApp(config, { log: collect(problems), metrics, actor: { kind: 'system' }, now: clock.now })
    const { db, dialect } = opened.database
    await push({ db, dialect, schema: declareSchema(opened.app.features) })
    const dashboard = pages && config.dashboard.enabled ? await openDashboard(opened.app, dashboardFolder()) : null
    const app = extend(opened.app, { dashboard })
    const respond = createListener(app, createServer(app, { reasons: async () => [] }))
    listener = (request, response) => void respond(request, response)
    const { settled } = opened
    const close = async (): Promise<void> => {
      await closeServer(server)
      await opened.close()
    }
    return {
      ...createFactories(app, origin),
      ...{ baseURL: apiURL(config), origin, clock, problems, settled, close, [Symbol.asyncDispose]: close },
      mails: createMessages(app, { isText: false, settled }),
      texts: createMessages(app, { isText: true, settled }),
    }
  } catch (error) {
    await closeServer(server)
    throw error
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The daemon of this test has no port')
  return address.port
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}

/** Keeps what an app should look at. */
function collect(problems: string[]): Logger {
  const note = (fields: object, message: string): void => {
    const { err } = fields as { readonly err?: unknown }
    problems.push(err instanceof Error ? `${message}: ${err.stack}` : message)
  }
  const logger: Logger = { debug: () => {}, info: () => {}, warn: note, error: note, child: () => logger }
  return logger
}
