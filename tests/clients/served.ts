/** Serves the app on a real socket, for third-party clients. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { createAPIServer } from '../../src/daemon/api-server.ts'
import { type TestApp, type TestOptions, testApp } from '../kit/app.ts'
import { freePort } from '../kit/servers/index.ts'

type ConfigFile = NonNullable<Parameters<typeof testApp>[0]>

export interface Mail {
  readonly kind: 'verification' | 'reset-password' | 'change-email' | 'delete-account'
  readonly token: string
  readonly url: string
}

export interface Served extends TestApp {
  readonly origin: string
  /** Requests received so far. */
  requests(): number
  /** Waits for the next mail of this kind, in the order in which they were sent. */
  nextMail(kind: Mail['kind']): Promise<Mail>
}

/** With everything on that belongs to the core calls, and mails caught by the reference's callbacks. */
export async function serve(more: ConfigFile = {}, options: TestOptions = {}): Promise<Served> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const mails: Mail[] = []
  const record = (kind: Mail['kind']) => (mail: { readonly token: string; readonly url: string }) =>
    void mails.push({ kind, token: mail.token, url: mail.url })
  const config: ConfigFile = {
    baseURL: origin,
    emailAndPassword: { enabled: true, sendResetPassword: record('reset-password') },
    emailVerification: { sendVerificationEmail: record('verification') },
    user: {
      changeEmail: { enabled: true, sendChangeEmailVerification: record('change-email') },
      deleteUser: { enabled: true },
    },
    ...more,
  }
  const kit = await testApp(config, options)
  const server = createAPIServer(kit.app, { reasons: async () => [] })
  const listener = createServer((socket) => server.accept(socket, 'public'))
  listener.listen(port, 'localhost')
  await once(listener, 'listening')
  onTestFinished(async () => {
    listener.close()
    server.startDraining()
    await server.drained(0, 1000)
  })
  const nextMail: Served['nextMail'] = async (kind) => {
    const find = () => mails.findIndex((mail) => mail.kind === kind)
    await expect.poll(find, { timeout: 10_000 }).toBeGreaterThanOrEqual(0)
    const [mail] = mails.splice(find(), 1)
    if (!mail) throw new Error(`no mail of the kind ${kind} has come`)
    return mail
  }
  return { ...kit, origin, requests: server.requests, nextMail }
}
