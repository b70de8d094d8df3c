/** Email through a real SMTP receiver: an acknowledged email is sent once, also after an outage of the server. */
import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { extend } from '../../src/core/app.ts'
import type { Mailer } from '../../src/core/ports.ts'
import { transaction } from '../../src/core/transaction.ts'
import { canSend, jobs, listMails, retryMails, sendMail } from '../../src/features/outbox/index.ts'
import { mails as resetMails } from '../../src/features/password-reset/index.ts'
import { testApp } from '../kit/app.ts'
import { followLink, recipient } from '../kit/mails.ts'
import { freePort } from '../kit/servers/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const never = new AbortController().signal

interface Receiver {
  readonly received: readonly string[]
  /** Connections that were open at the same moment. */
  mostConcurrent(): number
  stop(): Promise<void>
}

/** An SMTP server that keeps what it is given. */
async function receive(port: number, refuse = false): Promise<Receiver> {
  const received: string[] = []
  const connections = { open: 0, most: 0 }
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onConnect: (_session, done) => {
      connections.open += 1
      connections.most = Math.max(connections.most, connections.open)
      done()
    },
    onClose: () => {
      connections.open -= 1
    },
    onRcptTo: (_address, _session, done) => done(refuse ? Object.assign(new Error('no such user'), { responseCode: 550 }) : null),
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push(Buffer.concat(chunks).toString('utf8'))
        done()
      })
    },
  })
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()))
  onTestFinished(stop)
  return { received, mostConcurrent: () => connections.most, stop }
}

const withMail = (port: number) => ({ mail: { from: 'Acme <no-reply@acme.example>', smtp: `smtp://127.0.0.1:${port}` } })
const data = { user: recipient, url: 'http://localhost:3000/x?token=abcdef', token: 'abcdef' }
/** Quoted-printable lines put together again. */
const plain = (mail: string) => mail.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=')

async function states(app: Parameters<typeof listMails>[0]) {
  const all = []
  for await (const { state, attempts, lastError } of listMails(app, { dead: false })) all.push([state, attempts, lastError])
  return all
}

describe('a mail', () => {
  test('is sent as text and HTML, then deleted', async () => {
    const port = await freePort()
    const receiver = await receive(port)
    const { app } = await testApp(withMail(port))
    await sendMail(app, resetMails['reset-password'], ann, data)
    await expect.poll(() => receiver.received.length).toBe(1)
    const mail = plain(receiver.received[0] ?? '')
    expect(mail).toMatch(/^From: Acme <no-reply@acme\.example>/m)
    expect(mail).toMatch(/^To: ann@example\.com/m)
    expect(mail).toMatch(/^Auto-Submitted: auto-generated/m)
    expect(mail).toContain('Content-Type: text/plain')
    expect(mail).toContain('Content-Type: text/html')
    expect(mail).toMatch(/^Content-Language: en/m)
    // As text, as a button and under it.
    expect(mail.match(/\/api\/auth\/link\/\w{24}/g)).toHaveLength(4)
    await expect.poll(() => states(app)).toEqual([['sent', 1, null]])
    expect(await app.db.selectFrom('outbox').select('content').execute()).toEqual([{ content: null }])
  })

  test('is encrypted, with its link', async () => {
    const { app } = await testApp(withMail(await freePort()))
    await sendMail(app, resetMails['reset-password'], ann, data)
    expect(JSON.stringify(await app.db.selectFrom('outbox').selectAll().execute())).not.toContain('abcdef')
  })

  test('has the same Message-ID at each attempt, so that a duplicate can be recognized', async () => {
    const { app, clock } = await testApp(withMail(await freePort()))
    const names: string[] = []
    const deliver: Mailer['deliver'] = async ({ id }) => {
      names.push(id)
      throw new Error('lost')
    }
    const noting = extend(app, { mailer: { ...app.mailer, deliver } as Mailer })
    await sendMail(app, resetMails['reset-password'], ann, data)
    await expect.poll(() => states(app)).toEqual([['waiting', 1, 'ESOCKET']])
    for (let tries = 1; tries <= 2; tries += 1) {
      clock.advance(3600)
      await jobs.outbox.run(noting, never)
    }
    expect(names).toHaveLength(2)
    expect(new Set(names).size).toBe(1)
  })

  test('is sent with a bounded number of others, and all arrive', { timeout: 90_000 }, async () => {
    const port = await freePort()
    const receiver = await receive(port)
    const { app } = await testApp(withMail(port))
    await Promise.all(
      Array.from({ length: 300 }, (_, count) =>
        sendMail(app, resetMails['reset-password'], { email: `user${count}@example.com` }, data),
      ),
    )
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(105)
    await jobs.outbox.run(app, never)
    await expect.poll(async () => (await states(app)).filter(([state]) => state === 'sent').length).toBe(300)
    expect(new Set(receiver.received.map((mail) => /^Message-ID: (.*)$/im.exec(mail)?.[1])).size).toBe(300)
    expect(receiver.received).toHaveLength(300)
    expect(receiver.mostConcurrent()).toBeLessThanOrEqual(10)
  })

  test('is written in the transaction of its caller', async () => {
    const port = await freePort()
    const receiver = await receive(port)
    const { app } = await testApp(withMail(port))
    const undone = transaction(app, async (inner) => {
      await sendMail(inner, resetMails['reset-password'], ann, data)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await transaction(app, (inner) => sendMail(inner, resetMails['reset-password'], { email: 'bob@example.com' }, data))
    await expect.poll(() => receiver.received.length).toBe(1)
    expect(receiver.received[0]).toMatch(/^To: bob@example\.com/m)
  })

  test('waits while the server is unreachable, and is sent when it is back', async () => {
    const port = await freePort()
    const { app, browser, clock, log } = await testApp({ ...withMail(port), emailVerification: { sendOnSignUp: true } })
    const signedUp = await browser().call('POST /sign-up/email', { body: ann })
    expect(signedUp.status).toBe(200)
    await expect.poll(() => states(app)).toEqual([['waiting', 1, 'ESOCKET']])
    expect(log.join()).not.toContain(ann.email)
    const receiver = await receive(port)
    await jobs.outbox.run(app, never)
    expect(receiver.received).toHaveLength(0)
    clock.advance(31)
    await jobs.outbox.run(app, never)
    expect(receiver.received).toHaveLength(1)
    expect(await states(app)).toEqual([['sent', 2, null]])
  })

  test('is marked as failed after its last attempt, stays listed, and can be retried', async () => {
    const port = await freePort()
    const refusing = await receive(port, true)
    const { app, clock } = await testApp(withMail(port))
    await sendMail(app, resetMails['reset-password'], ann, data)
    await expect.poll(() => states(app)).toEqual([['waiting', 1, 'EENVELOPE']])
    for (let tries = 0; tries < 10; tries += 1) {
      clock.advance(24 * 3600 + 1)
      await jobs.outbox.run(app, never)
    }
    expect(await states(app)).toEqual([['dead', 8, 'EENVELOPE']])
    await refusing.stop()
    const receiver = await receive(port)
    expect(await retryMails(app, null)).toEqual({ found: 1, sent: 1 })
    expect(receiver.received).toHaveLength(1)
    expect(await retryMails(app, null)).toEqual({ found: 0, sent: 0 })
  })

  test('is sent once by eight concurrent deliveries', async () => {
    const port = await freePort()
    const { app, clock } = await testApp(withMail(port))
    for (let count = 0; count < 40; count += 1)
      await sendMail(app, resetMails['reset-password'], { email: `user${count}@example.com` }, data)
    await expect.poll(async () => (await states(app)).every(([, , lastError]) => lastError === 'ESOCKET')).toBe(true)
    const receiver = await receive(port)
    clock.advance(31)
    await Promise.all(Array.from({ length: 8 }, () => jobs.outbox.run(app, never)))
    expect(receiver.received).toHaveLength(40)
    expect(new Set(receiver.received.map((mail) => /^To: (.*)$/m.exec(mail)?.[1])).size).toBe(40)
  })
})

describe('the configuration', () => {
  test('can have a function that never returns, without delaying other mails or the job', async () => {
    const called: string[] = []
    const hanging = (mail: { user: { email: string } }) => {
      called.push(mail.user.email)
      return called.length === 1 ? new Promise<never>(() => {}) : undefined
    }
    const { app, clock } = await testApp({ emailAndPassword: { enabled: true, sendResetPassword: hanging } })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await sendMail(app, resetMails['reset-password'], ann, data)
    await vi.waitFor(() => expect(called).toHaveLength(1), { timeout: 15_000 })
    await vi.advanceTimersByTimeAsync(60_001)
    vi.useRealTimers()
    await expect.poll(() => states(app)).toEqual([['waiting', 1, 'TIMED_OUT']])
    clock.advance(31)
    await jobs.outbox.run(app, never)
    expect(await states(app)).toEqual([['sent', 2, null]])
  })

  test('can have its own delivery and templates', async () => {
    const sent: object[] = []
    const templates = {
      'reset-password': (given: Readonly<Record<string, unknown>>) => ({
        subject: 'Own',
        text: String(given.url),
        html: '<p>own</p>',
      }),
    }
    const { app } = await testApp({ mail: { from: 'a@b.co', send: (mail) => void sent.push(mail), templates } })
    await sendMail(app, resetMails['reset-password'], ann, data)
    await expect
      .poll(() => sent)
      .toEqual([
        {
          id: expect.stringMatching(/^\w{32}$/),
          from: 'a@b.co',
          to: ann.email,
          subject: 'Own',
          text: data.url,
          html: '<p>own</p>',
        },
      ])
  })

  test('decides whether mails can be sent', async () => {
    expect(canSend((await testApp()).app, resetMails['reset-password'])).toBe(false)
    expect(canSend((await testApp(withMail(2525))).app, resetMails['reset-password'])).toBe(true)
  })

  test('never sends a subject with a second line', async () => {
    const sent: object[] = []
    const templates = { 'reset-password': () => ({ subject: 'a\r\nBcc: eve@example.com', text: '', html: '' }) }
    const { app } = await testApp({ mail: { from: 'a@b.co', send: (mail) => void sent.push(mail), templates } })
    await sendMail(app, resetMails['reset-password'], ann, data)
    await expect.poll(() => states(app)).toEqual([['waiting', 1, 'Error']])
    expect(sent).toEqual([])
  })
})

describe('the development mailbox', () => {
  const caught = { mail: { catch: true } }

  test('stores mails instead of sending them, and shows them as a list and one by one', async () => {
    const { app, browser } = await testApp(caught)
    await sendMail(app, resetMails['reset-password'], ann, data)
    await expect.poll(async () => (await browser().call('GET /mailbox/list', {})).body.mails.length).toBe(1)
    const { mails } = (await browser().call('GET /mailbox/list', {})).body
    expect(mails[0]).toMatchObject({
      kind: 'reset-password',
      recipient: ann.email,
      text: expect.stringContaining('/api/auth/link/'),
    })
    const one = await browser().request(`/mailbox/mail/${mails[0].id}`)
    expect(await followLink(browser(), one.body)).toBe(data.url)
    expect(one.headers.get('content-security-policy')).toContain('sandbox')
    expect(one.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    expect((await browser().request('/mailbox/mail/unknown')).status).toBe(404)
  })

  test('does not exist unless configured', async () => {
    const { browser } = await testApp(withMail(2525))
    expect((await browser().request('/mailbox/list')).status).toBe(404)
  })
})
