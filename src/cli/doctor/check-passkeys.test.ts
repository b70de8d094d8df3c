import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { createAuthenticator } from '../../../tests/kit/authenticator.ts'
import { checkModels, checkPasskeys, checkStoredPasskeys } from './check-passkeys.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const json = { 'content-type': 'application/json' }
const offline = async () => Promise.reject(new Error('offline'))

describe('doctor', () => {
  const examine = async (baseURL: string, passkey: object | boolean, respond: () => Promise<Response> = offline) => {
    const { app } = await testApp({ baseURL, passkey })
    return (await checkPasskeys(app.config, respond)).map(({ id, status }) => `${id} ${status}`)
  }

  test.each([
    ['https://acme.com', ['passkeys ok']],
    ['http://localhost:3000', ['passkeys ok']],
    ['http://acme.com', ['passkeys warning']],
    ['https://192.0.2.1', ['passkeys warning']],
  ])('says whether browsers can have passkeys on %s', async (baseURL, expected) => {
    expect(await examine(baseURL, true)).toEqual(expected)
  })

  test('says nothing while passkeys are disabled', async () => {
    expect(await examine('https://acme.com', false)).toEqual([])
  })

  const related = { relatedOrigins: ['https://acme.co.uk'] }
  test.each([
    ['names them', async () => new Response('{"origins":["https://acme.co.uk"]}', { headers: json }), 'ok'],
    ['names others', async () => new Response('{"origins":[]}', { headers: json }), 'warning'],
    ['is a page', async () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), 'warning'],
    ['cannot be fetched', offline, 'warning'],
  ])('fetches the document of related origins: it %s', async (_, respond, status) => {
    expect(await examine('https://acme.com', related, respond)).toEqual(['passkeys ok', `passkey-related-origins ${status}`])
  })

  test('warns when the FIDO Alliance has published a newer list of authenticators', () => {
    const list = { models: new Map(), nextUpdate: new Date('2026-02-15') }
    const statusAt = (day: string) => checkModels(list, new Date(day)).map(({ status }) => status)
    expect([statusAt('2026-02-14'), statusAt('2026-02-15')]).toEqual([['ok'], ['warning']])
    expect(checkModels(null, new Date('2026-02-15'))).toEqual([])
  })

  test('counts the passkeys of another domain', async () => {
    const { app, browser } = await testApp({ passkey: true })
    const owner = browser()
    await owner.call('POST /sign-up/email', { body: ann })
    const { body } = await owner.call('GET /passkey/generate-register-options', { query: {} })
    await owner.call('POST /passkey/verify-registration', { body: { response: { ...createAuthenticator().create(body) } } })
    const examineStored = () => checkStoredPasskeys({ db: app.db } as never, app.config)
    expect(await examineStored()).toMatchObject([{ status: 'ok' }])
    await app.db.updateTable('passkey').set({ rpID: 'former.example' }).execute()
    expect(await examineStored()).toMatchObject([
      { status: 'warning', message: '1 passkey of former.example cannot be used on localhost' },
    ])
  })
})
