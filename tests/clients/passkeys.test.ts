/**
 * Passkeys with the published clients, over a real socket. The plugin of 1.2.12 runs unmodified, with an authenticator in the place of that
 * of the browser. The newest client has its plugin in another package, which needs the newest client under its own name: so what that
 * plugin sends is sent here, by the newest client.
 */
import { passkeyClient } from 'better-auth/client/plugins'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Authenticator, createAuthenticator } from '../kit/authenticator.ts'
import { captureMails } from '../kit/mails.ts'
import { type Client, createClient, createCookieFetch, type Outcome } from './published.ts'
import { serve } from './served.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
type Actions = (input?: object) => Promise<Outcome>

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url')).buffer
const text = (given: ArrayBuffer) => Buffer.from(given).toString('base64url')

/** What a browser has, with this authenticator in it. */
function plugIn(device: Authenticator, origin: string): void {
  const asBrowser = ({ response, ...credential }: ReturnType<Authenticator['create']> | ReturnType<Authenticator['get']>) => ({
    ...{ ...credential, rawId: bytes(credential.rawId), getClientExtensionResults: () => credential.clientExtensionResults },
    response: {
      ...Object.fromEntries(
        Object.entries(response).map(([name, value]) => [name, typeof value === 'string' ? bytes(value) : value]),
      ),
      getTransports: () => ['internal'],
    },
  })
  interface Given {
    readonly mediation?: string
    readonly publicKey: {
      readonly challenge: ArrayBuffer
      readonly rp: { readonly id: string }
      readonly user: { readonly id: ArrayBuffer }
    }
  }
  const credentials = {
    create: async ({ mediation, publicKey: { challenge, rp, user } }: Given) => {
      const options = { challenge: text(challenge), rp, user: { id: text(user.id) } }
      return asBrowser(device.create(options, { origin, userPresent: mediation !== 'conditional' }))
    },
    get: async ({ publicKey: { challenge } }: Given) => asBrowser(device.get({ challenge: text(challenge) }, { origin })),
  }
  vi.stubGlobal('navigator', { credentials })
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => {}, { isConditionalMediationAvailable: async () => true }),
  )
  vi.stubGlobal('document', { querySelectorAll: () => [{}] })
}
afterEach(() => void vi.unstubAllGlobals())

describe('better-auth 1.2.12', () => {
  async function arrive() {
    const served = await serve({ passkey: true })
    const device = createAuthenticator()
    plugIn(device, served.origin)
    const open = () => createClient('1.2.12', served.origin, { customFetchImpl: createCookieFetch() }, [passkeyClient()])
    const client = open()
    expect((await client.signUp?.email?.(ann))?.error).toBeNull()
    return { ...served, device, open, actions: { client } }
  }
  const call = ({ client }: { readonly client: Client }, name: string, input?: object) =>
    (client.passkey?.[name] as unknown as Actions | undefined)?.(input) as Promise<Outcome>

  test('adds, lists, renames and deletes a passkey', async () => {
    const { actions, device } = await arrive()
    const added = await call(actions, 'addPasskey', { name: 'Laptop' })
    // Nothing is returned by a success.
    expect(added ?? null).toBeNull()
    const { data: listed } = await call(actions, 'listUserPasskeys')
    expect(listed).toMatchObject([{ name: 'Laptop', credentialID: device.id, transports: 'internal' }])
    const [{ id }] = listed
    expect((await call(actions, 'updatePasskey', { id, name: 'Work' })).data.passkey.name).toBe('Work')
    expect(await call(actions, 'deletePasskey', { id })).toEqual({ data: { status: true }, error: null })
    expect((await call(actions, 'deletePasskey', { id })).error).toMatchObject({ status: 404, code: 'PASSKEY_NOT_FOUND' })
  })

  test.each([{}, { autoFill: true }])('signs in with %j', async (options) => {
    const { actions, open } = await arrive()
    await call(actions, 'addPasskey')
    const guest = open()
    const signIn = guest.signIn?.passkey as unknown as Actions
    expect((await signIn(options))?.error ?? null).toBeNull()
    expect((await guest.getSession?.())?.data?.user.email).toBe(ann.email)
  })

  test('adds a passkey without a dialog after a sign-in with a password', async () => {
    const { actions } = await arrive()
    expect((await call(actions, 'addPasskey', { useAutoRegister: true })) ?? null).toBeNull()
    expect((await call(actions, 'listUserPasskeys')).data).toHaveLength(1)
  })

  test('gets the error of a passkey that was deleted', async () => {
    const { actions, open } = await arrive()
    await call(actions, 'addPasskey')
    const [{ id }] = (await call(actions, 'listUserPasskeys')).data
    await call(actions, 'deletePasskey', { id })
    const signIn = open().signIn?.passkey as unknown as Actions
    expect((await signIn())?.error).toMatchObject({ status: 401, code: 'PASSKEY_NOT_FOUND' })
  })
})

describe('what the plugin of 1.7 sends', () => {
  async function arrive(signUp = false) {
    const mails = captureMails<{ text: string }>()
    const mail = { send: mails.send as never, from: 'acme@example.com' }
    const served = await serve({ passkey: { signUp }, mail })
    const open = () => {
      const client = createClient('newest', served.origin, { customFetchImpl: createCookieFetch() })
      const send = (path: string, options: object = {}) =>
        (client.$fetch as unknown as (path: string, options: object) => Promise<Outcome>)(path, options)
      return { client, send }
    }
    const device = createAuthenticator()
    const add = async ({ send }: ReturnType<typeof open>, query: object, more: object) => {
      const { data } = await send('/passkey/generate-register-options', { query })
      const response = device.create(data, { origin: served.origin })
      return send('/passkey/verify-registration', { method: 'POST', body: { response, ...more } })
    }
    return { ...served, mails, open, device, add }
  }

  test('adds a passkey with a session, and signs in without extension results', async () => {
    const { open, add, device, origin } = await arrive()
    const owner = open()
    expect((await owner.client.signUp?.email?.(ann))?.error).toBeNull()
    const added = await add(owner, { name: 'Ann at Acme', authenticatorAttachment: 'platform' }, { createSession: true })
    expect(added.data).toMatchObject({
      credentialID: device.id,
      user: { email: ann.email },
      session: { userId: expect.any(String) },
    })
    const guest = open()
    const { data: options } = await guest.send('/passkey/generate-authenticate-options', { method: 'GET' })
    const { clientExtensionResults: _, ...response } = device.get(options, { origin })
    const verified = await guest.send('/passkey/verify-authentication', { method: 'POST', body: { response } })
    expect(verified.data).toMatchObject({ session: { userId: added.data.userId }, user: { email: ann.email } })
    expect((await guest.send('/passkey/delete-passkey', { method: 'POST', body: { id: added.data.id } })).data).toEqual({
      status: true,
    })
  })

  test('signs up by a context, with a session', async () => {
    const { open, add, mails } = await arrive(true)
    const visitor = open()
    await visitor.send('/passkey/sign-up', { method: 'POST', body: { email: ann.email, name: ann.name } })
    const otp = /\b\d{6}\b/.exec((await mails.next()).text)?.[0]
    const { data } = await visitor.send('/passkey/verify-sign-up', { method: 'POST', body: { email: ann.email, otp } })
    const added = await add(visitor, { context: data.context }, { createSession: true })
    expect(added.data.user).toMatchObject({ email: ann.email, emailVerified: true })
    expect((await visitor.client.getSession?.())?.data?.user.email).toBe(ann.email)
  })
})
