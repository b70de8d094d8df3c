/** Sessions that a sign-in ends: the log, the audit log and a notice say why, so that users find out who signed them out. */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import type { ConfigFile } from '../index.ts'
import type { SessionLimitNotice, SignInNotice } from '../notices/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const bob = { ...ann, name: 'Bob', email: 'bob@example.com' }
const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

/** Ann and Bob with verified email addresses, each with the session of their sign-up. */
async function withTwo(config: ConfigFile = {}) {
  const [signIns, limits] = [captureMails<SignInNotice>(), captureMails<SessionLimitNotice>()]
  const kit = await testApp({
    multiSession: false,
    ...config,
    notices: { sendNewSignIn: signIns.send, sendSessionLimit: limits.send },
  })
  const userIds: string[] = []
  const browsers = [kit.browser(), kit.browser()] as const
  for (const [at, user] of [ann, bob].entries()) {
    const { body } = await (browsers[at] ?? kit.browser()).call('POST /sign-up/email', { body: user }, { 'user-agent': chrome })
    userIds.push(String(body.user?.id))
  }
  // The devices of both sign-ups are noted after the responses; a sign-in before that would be of a first device.
  await kit.settled()
  await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
  const signIn = async (
    browser: Browser,
    { email, password } = ann,
    headers: Record<string, string> = { 'user-agent': chrome },
  ) => {
    kit.clock.advance(1)
    expect((await browser.call('POST /sign-in/email', { body: { email, password } }, headers)).status).toBe(200)
  }
  const causes = async () => {
    const events = await kit.app.db.selectFrom('auditEvent').selectAll().where('action', '=', 'sessions.revoked').execute()
    const recorded = events.map(({ userId, details }) => [userId, Reflect.get(details, 'reason'), Reflect.get(details, 'count')])
    const lines = kit.log.map((line) => JSON.parse(line)).filter(({ message }) => String(message).startsWith('Sessions ended: '))
    const logged = lines.map(({ userId, reason, count, requestId }) => {
      expect(requestId).toEqual(expect.any(String))
      return [userId, reason, count]
    })
    expect(logged).toEqual(recorded)
    return logged
  }
  return { ...kit, own: browsers[0], userIds, signIn, causes, signIns, limits }
}

describe('the cause of a session that ended', () => {
  test('is the limit of a user, who is notified once a day', async () => {
    const { browser, clock, userIds, signIn, causes, limits } = await withTwo({ session: { maxPerUser: 2 } })
    for (let run = 0; run < 4; run += 1) await signIn(browser())
    expect(await causes()).toEqual(Array.from({ length: 3 }, () => [userIds[0], 'limit', 1]))
    const { user, time: _, lockURL: __, ...notice } = await limits.next()
    expect(user).toMatchObject({ email: ann.email })
    const device = 'Chrome 142 on Windows'
    expect(notice).toEqual({ device, ipAddress: '127.0.0.1', hasReplaced: false, sessionsEnded: 1, maxSessions: 2 })
    clock.advance(86_401)
    await signIn(browser())
    await limits.next()
    expect(limits.sent).toHaveLength(2)
  })

  test('is a sign-in of the same browser, which a notice of a new device names', async () => {
    const { own, userIds, signIn, causes, signIns, limits } = await withTwo()
    await signIn(own, ann, { 'user-agent': firefox })
    expect(await causes()).toEqual([[userIds[0], 'replaced', 1]])
    expect(await signIns.next()).toMatchObject({ user: { email: ann.email }, hasReplaced: true })
    expect(limits.sent).toEqual([])
  })

  test('is a sign-in whose request names the session in a header', async () => {
    const { browser, own, userIds, signIn, causes } = await withTwo({ bearer: true })
    const token = String((await own.call('GET /get-session', {})).body.session.token)
    await signIn(browser(), ann, { 'user-agent': chrome, authorization: `Bearer ${token}` })
    expect(await causes()).toEqual([[userIds[0], 'replaced', 1]])
  })

  test('is a sign-in of another user in the same browser', async () => {
    const { own, userIds, signIn, causes, signIns } = await withTwo()
    await signIn(own, bob, { 'user-agent': firefox })
    expect(await causes()).toEqual([[userIds[0], 'replaced', 1]])
    // It ended no session of theirs.
    expect(await signIns.next()).toMatchObject({ user: { email: bob.email }, hasReplaced: false })
  })

  test('is the limit of accounts in one browser', async () => {
    const { own, userIds, signIn, causes } = await withTwo({ multiSession: { maximumSessions: 1 } })
    await signIn(own, bob)
    await own.call('POST /sign-up/email', { body: { ...ann, email: 'carol@example.com' } })
    expect(await causes()).toEqual([[userIds[1], 'browser-limit', 1]])
  })
})

test('the built-in email of the limit says what to do', async () => {
  const { browser, app } = await testApp({ mail: { catch: true }, session: { maxPerUser: 1 } })
  await browser().call('POST /sign-up/email', { body: ann })
  await app.db.updateTable('user').set({ emailVerified: true }).execute()
  await browser().call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } })
  const mails = async () => JSON.stringify((await browser().call('GET /mailbox/list', {})).body)
  await expect.poll(mails).toContain('A sign-in to your Latchkey account ended your oldest session')
})
