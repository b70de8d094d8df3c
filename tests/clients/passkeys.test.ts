/** Passkeys with the published clients and their plugins, unmodified, over a real socket, with an authenticator in the place of that of the browser. */
import { passkeyClient } from 'better-auth/client/plugins'
import { type TOTP, URI } from 'otpauth'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  createAuthClient as createNewest,
  passkeyClient as newestPasskeyClient,
  twoFactorClient as newestTwoFactorClient,
} from '../../tools/newest-client/index.ts'
import { type Authenticator, createAuthenticator } from '../kit/authenticator.ts'
import { captureMails } from '../kit/mails.ts'
import {
  type Client,
  createClient,
  createCookieFetch,
  type Outcome,
  twoFactorPlugin,
  type Version,
  versions,
} from './published.ts'
import { serve } from './served.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
type Actions = (input?: object) => Promise<Outcome>
type Wishes = NonNullable<Parameters<Authenticator['get']>[1]>

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url')).buffer
const text = (given: ArrayBuffer) => Buffer.from(given).toString('base64url')

interface Given {
  readonly mediation?: string
  readonly publicKey: {
    readonly challenge: ArrayBuffer
    readonly rp: { readonly id: string }
    readonly user: { readonly id: ArrayBuffer }
    readonly allowCredentials?: readonly { readonly id: ArrayBuffer }[]
    readonly extensions?: object
  }
}

/** What a browser has, with this authenticator in it. @returns what pages have asked it */
function plugIn(device: Authenticator, origin: string, wishes: Wishes = {}) {
  const asked: Given[] = []
  const asBrowser = ({ response, ...credential }: ReturnType<Authenticator['create']> | ReturnType<Authenticator['get']>) => ({
    ...{ ...credential, rawId: bytes(credential.rawId), getClientExtensionResults: () => credential.clientExtensionResults },
    response: {
      ...Object.fromEntries(
        Object.entries(response).map(([name, value]) => [name, typeof value === 'string' ? bytes(value) : value]),
      ),
      getTransports: () => ['internal'],
    },
  })
  const credentials = {
    create: async (given: Given) => {
      asked.push(given)
      const { mediation, publicKey } = given
      const { challenge, rp, user } = publicKey
      const options = { challenge: text(challenge), rp, user: { id: text(user.id) } }
      return asBrowser(device.create(options, { origin, userPresent: mediation !== 'conditional' }))
    },
    get: async (given: Given) => {
      asked.push(given)
      return asBrowser(device.get({ challenge: text(given.publicKey.challenge) }, { origin, ...wishes }))
    },
  }
  vi.stubGlobal('navigator', { credentials })
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => {}, { isConditionalMediationAvailable: async () => true }),
  )
  vi.stubGlobal('document', { querySelectorAll: () => [{}] })
  return asked
}
afterEach(() => void vi.unstubAllGlobals())

function open(version: Version, origin: string): Client {
  const fetchOptions = { customFetchImpl: createCookieFetch() }
  if (version !== 'newest')
    return createClient(version, origin, fetchOptions, [passkeyClient(), twoFactorPlugin(version, () => {})])
  const plugins = [newestPasskeyClient(), newestTwoFactorClient()]
  return createNewest({ baseURL: origin, fetchOptions, plugins }) as unknown as Client
}

type Config = NonNullable<Parameters<typeof serve>[0]>

async function arrive(version: Version, config: Config = {}) {
  const mails = captureMails<{ text: string }>()
  const mail = { send: mails.send as never, from: 'acme@example.com' }
  const served = await serve({ passkey: true, mail, ...config })
  const device = createAuthenticator()
  const asked = plugIn(device, served.origin)
  const visitor = () => open(version, served.origin)
  const client = visitor()
  expect((await client.signUp?.email?.(ann))?.error).toBeNull()
  return { ...served, mails, device, asked, visitor, client }
}

const call = (client: Client, name: string, input?: object) =>
  (client.passkey?.[name] as unknown as Actions | undefined)?.(input) as Promise<Outcome>
const signIn = (client: Client, input?: object) =>
  (client.signIn?.passkey as unknown as Actions | undefined)?.(input) as Promise<Outcome>
/** The plugin of 1.2.12 returns nothing for a success. */
const errorOf = (outcome: Outcome | undefined) => outcome?.error ?? null
const emailOf = async (client: Client) => (await client.getSession?.())?.data?.user.email

describe.each(versions)('better-auth %s', (version) => {
  test('adds, lists, renames and deletes a passkey', async () => {
    const { client, device } = await arrive(version)
    expect(errorOf(await call(client, 'addPasskey', { name: 'Laptop' }))).toBeNull()
    const { data: listed } = await call(client, 'listUserPasskeys')
    expect(listed).toMatchObject([{ name: 'Laptop', credentialID: device.id, transports: 'internal' }])
    const [{ id }] = listed
    expect((await call(client, 'updatePasskey', { id, name: 'Work' })).data.passkey.name).toBe('Work')
    expect(await call(client, 'deletePasskey', { id })).toEqual({ data: { status: true }, error: null })
    expect((await call(client, 'deletePasskey', { id })).error).toMatchObject({ status: 404, code: 'PASSKEY_NOT_FOUND' })
  })

  test.each([undefined, {}, { autoFill: true }])('signs in with %j', async (options) => {
    const { client, visitor, asked } = await arrive(version)
    await call(client, 'addPasskey')
    const guest = visitor()
    expect(errorOf(await signIn(guest, options))).toBeNull()
    expect(await emailOf(guest)).toBe(ann.email)
    expect(asked.at(-1)?.mediation).toBe(options?.autoFill ? 'conditional' : undefined)
  })

  test('answers the challenge after a password, with a key that is found only when it is named', async () => {
    const { client, visitor, device, asked, app, origin, clock } = await arrive(version, { twoFactor: true })
    const twoFactor = (name: string, input: object) => client.twoFactor?.[name]?.({ ...input }) as Promise<Outcome>
    const { data } = await twoFactor('enable', { password: ann.password })
    const code = (URI.parse(data.totpURI) as TOTP).generate({ timestamp: app.now().getTime() })
    expect((await twoFactor('verifyTotp', { code })).error).toBeNull()
    expect(errorOf(await call(client, 'addPasskey'))).toBeNull()
    clock.advance(30)
    const guest = visitor()
    const { email, password } = ann
    expect((await guest.signIn?.email?.({ email, password }))?.data).toMatchObject({ twoFactorRedirect: true })
    const second = plugIn(device, origin, { userVerified: false })
    expect(errorOf(await signIn(guest))).toBeNull()
    expect(await emailOf(guest)).toBe(ann.email)
    expect(second.map(({ publicKey }) => publicKey.allowCredentials?.map(({ id }) => text(id)))).toEqual([[device.id]])
    expect(asked.at(-1)?.publicKey.allowCredentials).toBeUndefined()
  })

  test('adds a passkey without a dialog after a sign-in with a password', async () => {
    const { client } = await arrive(version)
    expect(errorOf(await call(client, 'addPasskey', { useAutoRegister: true }))).toBeNull()
    expect((await call(client, 'listUserPasskeys')).data).toHaveLength(1)
  })

  test('gets the errors of a passkey that was deleted, and of one that is registered', async () => {
    const { client, visitor } = await arrive(version)
    await call(client, 'addPasskey')
    expect(errorOf(await call(client, 'addPasskey'))).toMatchObject({ status: 400, code: 'PREVIOUSLY_REGISTERED' })
    const [{ id }] = (await call(client, 'listUserPasskeys')).data
    await call(client, 'deletePasskey', { id })
    expect(errorOf(await signIn(visitor()))).toMatchObject({ status: 401, code: 'PASSKEY_NOT_FOUND' })
  })
})

describe('better-auth newest', () => {
  test('signs up by a context, with a session', async () => {
    const { visitor, mails, origin } = await arrive('newest', { passkey: { signUp: true } })
    plugIn(createAuthenticator(), origin)
    const client = visitor()
    const email = 'bob@example.com'
    const post = (path: string, body: object) =>
      (client.$fetch as unknown as (path: string, options: object) => Promise<Outcome>)(path, { method: 'POST', body })
    await post('/passkey/sign-up', { email, name: 'Bob' })
    const otp = /\b\d{6}\b/.exec((await mails.next()).text)?.[0]
    const { context } = (await post('/passkey/verify-sign-up', { email, otp })).data
    const added = await call(client, 'addPasskey', { context, createSession: true, name: 'Phone' })
    expect(added.data).toMatchObject({ name: 'Phone', user: { email, emailVerified: true }, session: { id: expect.any(String) } })
    expect(await emailOf(client)).toBe(email)
  })

  test('registers by a context of the application, and says why it may not', async () => {
    const known = new Map<string, string>()
    const resolveUser = ({ context }: { readonly context: string | null }) => {
      const id = known.get(context ?? '')
      return id === undefined ? null : { id, name: ann.email }
    }
    const { visitor, app } = await arrive('newest', { passkey: { registration: { requireSession: false, resolveUser } } })
    const { id } = await app.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
    known.set('invitation', id)
    const client = visitor()
    expect(errorOf(await call(client, 'addPasskey', { context: 'unknown' }))).toMatchObject({
      ...{ status: 401, code: 'SESSION_REQUIRED', message: 'Passkey registration requires an authenticated session' },
    })
    expect(errorOf(await call(client, 'addPasskey', { context: 'invitation', createSession: true }))).toBeNull()
    expect(await emailOf(client)).toBe(ann.email)
  })

  test('adds a passkey with a session of its own, and sends the extensions of both sides to the browser', async () => {
    const { client, device, asked } = await arrive('newest', {
      passkey: { registration: { extensions: { minPinLength: true } }, authentication: { extensions: { uvm: true } } },
    })
    const added = await call(client, 'addPasskey', {
      ...{ createSession: true, authenticatorAttachment: 'platform', extensions: { appid: 'x' }, returnWebAuthnResponse: true },
    })
    expect(added.data).toMatchObject({ credentialID: device.id, session: { userId: added.data.userId } })
    expect(errorOf(await signIn(client, { extensions: { appid: 'y' } }))).toBeNull()
    expect(asked.map(({ publicKey }) => publicKey.extensions)).toEqual([
      { minPinLength: true, credProps: true, appid: 'x' },
      { uvm: true, appid: 'y' },
    ])
  })
})
