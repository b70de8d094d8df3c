/** The published client's plugins for several sessions, one-time tokens and anonymous users, and bearer tokens, over a real socket. */
import { describe, expect, test } from 'vitest'
import type { LinkedAccounts } from '../../src/features/index.ts'
import {
  type Client,
  createClient,
  createCookieFetch,
  type Outcome,
  type SessionPlugin,
  sessionPlugins,
  type Version,
  versions,
} from './published.ts'
import { serve } from './served.ts'

const password = 'correct horse battery'
const ok = (data: unknown) => ({ data, error: null })
const refused = (status: number, code: string, message: string) => ({
  data: null,
  error: expect.objectContaining({ status, code, message }),
})
const everything = { bearer: true, multiSession: true, oneTimeToken: true, anonymous: true } as const
const emailOf = (name: string) => `${name.toLowerCase()}@example.com`

describe.each(versions)('better-auth %s', (version) => {
  async function arrive(config: object = {}) {
    const served = await serve({ ...everything, ...config })
    /** @param fetchOptions default: with a cookie jar of its own */
    const open = (fetchOptions: Readonly<Record<string, unknown>> = { customFetchImpl: createCookieFetch() }) =>
      // Not the client itself: to `await` it would be a call named `then`.
      ({ client: createClient(version as Version, served.origin, fetchOptions, sessionPlugins(version as Version)) })
    const signUp = (client: Client, name: string) =>
      client.signUp?.email?.({ name, email: emailOf(name), password }) as Promise<Outcome>
    return { ...served, open, signUp }
  }
  const call = (client: Client, plugin: SessionPlugin, name: string, input: object = {}) =>
    client[plugin]?.[name]?.({ ...input }) as Promise<Outcome>
  const session = (client: Client) => client.getSession?.({}) as Promise<Outcome>
  const names = ({ data }: Outcome) => data.map(({ user }: { user: { name: string } }) => user.name)

  test('lists, switches and revokes the sessions of one browser', async () => {
    const { open, signUp } = await arrive()
    const { client } = open()
    expect(await call(client, 'multiSession', 'listDeviceSessions')).toEqual(ok([]))
    const ann = (await signUp(client, 'Ann')).data.token
    const bob = (await signUp(client, 'Bob')).data.token
    const listed = await call(client, 'multiSession', 'listDeviceSessions')
    expect(names(listed)).toEqual(['Bob', 'Ann'])
    expect(listed.data[1].session).toMatchObject({ token: ann, expiresAt: expect.any(Date) })
    const active = await call(client, 'multiSession', 'setActive', { sessionToken: ann })
    expect(active.data).toMatchObject({ user: { name: 'Ann' }, session: { token: ann } })
    expect((await session(client)).data.user.name).toBe('Ann')
    const unknown = await call(client, 'multiSession', 'setActive', { sessionToken: 'unknown' })
    expect(unknown).toEqual(refused(401, 'INVALID_SESSION_TOKEN', 'Invalid session token'))
    expect(await call(client, 'multiSession', 'revoke', { sessionToken: ann })).toEqual(ok({ status: true }))
    expect((await session(client)).data.user.name).toBe('Bob')
    expect(await call(client, 'multiSession', 'revoke', { sessionToken: ann })).toEqual(
      refused(401, 'INVALID_SESSION_TOKEN', 'Invalid session token'),
    )
    expect(await call(client, 'multiSession', 'revoke', { sessionToken: bob })).toEqual(ok({ status: true }))
    expect(await session(client)).toEqual(ok(null))
  })

  test('takes a session to another client, once', async () => {
    const { open, signUp } = await arrive()
    const [{ client }, { client: other }] = [open(), open()]
    await signUp(client, 'Ann')
    const { token } = (await call(client, 'oneTimeToken', 'generate')).data
    const used = await call(other, 'oneTimeToken', 'verify', { token })
    expect(used.data).toMatchObject({ user: { name: 'Ann' }, session: { createdAt: expect.any(Date) } })
    expect((await session(other)).data).toEqual((await session(client)).data)
    expect(await call(other, 'oneTimeToken', 'verify', { token })).toEqual(refused(400, 'INVALID_TOKEN', 'Invalid token'))
    expect(await call(open().client, 'oneTimeToken', 'generate')).toEqual(refused(401, 'UNAUTHORIZED', 'Unauthorized'))
  })

  test('signs in anonymously, and is linked by a sign-up', async () => {
    const links: LinkedAccounts[] = []
    const { open, signUp } = await arrive({
      anonymous: { onLinkAccount: (accounts: LinkedAccounts) => void links.push(accounts) },
    })
    const { client } = open()
    const entered = (await client.signIn?.anonymous?.()) as Outcome
    expect(entered.data.user).toMatchObject({ name: 'Anonymous', emailVerified: false })
    expect((await session(client)).data.user).toMatchObject({ isAnonymous: true })
    expect((await client.signIn?.anonymous?.()) as Outcome).toEqual(
      refused(400, 'ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY', 'Anonymous users cannot sign in again anonymously'),
    )
    await signUp(client, 'Ann')
    expect(links.map(({ anonymousUser, newUser }) => [anonymousUser.user.id, newUser.user.name])).toEqual([
      [entered.data.user.id, 'Ann'],
    ])
    // 1.2.12 does not know the call, but any client can spell it.
    expect((await client.deleteAnonymousUser?.({ fetchOptions: { method: 'POST' } })) as Outcome).toEqual(
      refused(403, 'USER_IS_NOT_ANONYMOUS', 'User is not anonymous'),
    )
    const guest = open().client
    await guest.signIn?.anonymous?.()
    expect((await guest.deleteAnonymousUser?.({ fetchOptions: { method: 'POST' } })) as Outcome).toEqual(ok({ success: true }))
    expect(await session(guest)).toEqual(ok(null))
  })

  test('uses the token of set-auth-token in place of cookies', async () => {
    const { open, clock } = await arrive()
    let stored = ''
    const onSuccess = ({ response }: { response: Response }) => {
      stored = response.headers.get('set-auth-token') || stored
    }
    const { client } = open({ auth: { type: 'Bearer', token: () => stored } })
    // With each call: 1.2.12 does not call the function of the client after a sign-up.
    const signedUp = (await client.signUp?.email?.({ name: 'Ann', email: emailOf('Ann'), password }, { onSuccess })) as Outcome
    const raw = signedUp.data.token
    expect(decodeURIComponent(stored).startsWith(`${raw}.`)).toBe(true)
    expect((await session(client)).data.user.name).toBe('Ann')
    expect((await client.updateUser?.({ name: 'Anna' })) as Outcome).toEqual(ok({ status: true }))
    clock.advance(86_400)
    const before = stored
    stored = raw
    const renewed = (await client.getSession?.({}, { onSuccess })) as Outcome
    expect(renewed.data.user.name).toBe('Anna')
    expect(stored).toBe(before)
    expect((await client.signOut?.()) as Outcome).toEqual(ok({ success: true }))
    expect(await session(client)).toEqual(ok(null))
  })
})
