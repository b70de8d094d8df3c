import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { headerOf, tokenService } from '../kit/token-verifier.ts'
import { complete, configFile, folder, latchkey, latchkeyJSON } from './kit.ts'
import { options, places, serve } from './projects.ts'

const given = { ...options, jwt: true }
const body = { name: 'Ann', email: 'ann@example.com', password: 'a perfectly fine passphrase' }

/** A project with a daemon and a signed-in user, who has a token. */
async function signedIn(create: (typeof places)['SQLite']) {
  const project = await create(given)
  await latchkey(project.cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], project.env)
  const { app, browser } = await serve(project, given)
  const visitor = browser()
  await visitor.call('POST /sign-up/email', { body })
  const token = String((await visitor.call('GET /token', {})).body.token)
  const origin = 'http://localhost:4000'
  const service = tokenService(browser(), app.now, { issuer: origin, audience: origin })
  const run = (...args: string[]) => latchkeyJSON(project.cwd, ['keys', ...args], project.env)
  return { ...project, app, token, kid: headerOf(token).kid, service, run }
}

describe.each(Object.entries(places))('on %s', (_, create) => {
  test('list shows keys and secrets, without any secret value', async () => {
    const { run, kid, app, env, cwd } = await signedIn(create)
    const { document, stdout } = await run('list')
    const [secretId] = app.keyring.ids()
    expect(document).toMatchObject({
      signingKeys: [{ kid, status: 'current', algorithm: 'EdDSA', curve: 'Ed25519', isReadable: true, publishedUntil: null }],
      secrets: [{ id: secretId, status: 'current', uses: { sessions: 1, signingKeys: 1, providerTokens: 0 } }],
    })
    expect(stdout).not.toMatch(/"d"|privateKey|encrypted:/)
    const text = (await latchkey(cwd, ['keys', 'list'], env)).stdout
    expect(text).toMatch(new RegExp(`${kid}  current   EdDSA  created \\S+  rotates \\S+`))
    expect(text).toMatch(new RegExp(`${secretId}  current   1 session, .*1 signing key`))
    expect(text + stdout).not.toContain(env.LATCHKEY_SECRET)
  })

  test('list counts the rows that need a previous secret', async () => {
    const { cwd, env, app } = await signedIn(create)
    const config = configFile(
      JSON.stringify({ ...given, secret: ['another secret, 0123456789 abcdefghijklm', env.LATCHKEY_SECRET] }),
    )
    writeFileSync(`${cwd}/auth.config.ts`, config)
    const { LATCHKEY_SECRET: _, ...rest } = env
    const { document } = await latchkeyJSON(cwd, ['keys', 'list'], rest)
    expect(document.secrets).toMatchObject([
      { status: 'current', uses: { sessions: 0, signingKeys: 0 } },
      { id: app.keyring.ids()[0], status: 'previous', uses: { sessions: 1, signingKeys: 1 } },
    ])
  })

  test('rotate publishes the next key, and is in progress then', async () => {
    const { run, kid, service, token } = await signedIn(create)
    const dry = await run('rotate', '--dry-run')
    expect([dry.exitCode, dry.document]).toEqual([0, { schema: 'keys-rotate/v1', key: null, isCreated: false }])
    const first = await run('rotate')
    expect(first.document).toMatchObject({ isCreated: true, key: { status: 'upcoming' } })
    expect((await run('rotate')).document).toMatchObject({ isCreated: false, key: first.document.key })
    const { document } = await run('list')
    expect((document.signingKeys as { status: string }[]).map(({ status }) => status)).toEqual(['upcoming', 'current'])
    await service.fetchKeys()
    expect([service.verify(token).email, headerOf(token).kid]).toEqual([body.email, kid])
  })

  test('retire keeps tokens valid; with --remove-now they are rejected', async () => {
    const { run, kid, service, token } = await signedIn(create)
    expect((await run('retire', kid, '--dry-run')).document).toMatchObject({ retired: { kid, status: 'current' }, current: null })
    expect((await run('retire', kid)).exitCode).toBe(4)
    const { document } = await run('retire', kid, '--yes')
    expect(document).toMatchObject({ retired: { kid, status: 'retired' }, current: { status: 'current' } })
    await service.fetchKeys()
    expect(service.verify(token).email).toBe(body.email)
    expect((await run('retire', kid, '--yes')).document).toMatchObject({ code: 'SIGNING_KEY_ALREADY_RETIRED' })
    expect((await run('retire', kid, '--remove-now', '--yes')).exitCode).toBe(4)
    expect((await run('retire', kid, '--remove-now', '--confirm', 'other')).exitCode).toBe(5)
    const removed = await run('retire', kid, '--remove-now', '--confirm', kid)
    expect([removed.exitCode, removed.document.retired]).toEqual([0, null])
    await service.fetchKeys()
    expect(() => service.verify(token)).toThrow('Unknown kid')
  })
})

test('retire rejects an unknown key', async () => {
  const { run } = await signedIn(places.SQLite)
  expect(await run('retire', 'unknown', '--yes')).toMatchObject({ exitCode: 1, document: { code: 'SIGNING_KEY_NOT_FOUND' } })
})

test('without jwt, list shows the secrets, and the others say what to set', async () => {
  const cwd = folder({ 'auth.config.ts': configFile() })
  const listed = await latchkeyJSON(cwd, ['keys', 'list'], complete)
  expect(listed.document).toMatchObject({ signingKeys: [], secrets: [{ status: 'current' }] })
  for (const args of [['rotate'], ['retire', 'any', '--yes']]) {
    const { exitCode, document } = await latchkeyJSON(cwd, ['keys', ...args], complete)
    expect([exitCode, document.code]).toEqual([1, 'TOKENS_DISABLED'])
  }
})

test('list names everything that needs a secret in words', async () => {
  const withKeys = { ...given, apiKey: true }
  const project = await places.SQLite(withKeys)
  const run = (...args: string[]) => latchkey(project.cwd, args, project.env)
  await run('users', 'create', '--email', 'ann@example.com', '--name', 'Ann')
  await run('api-keys', 'create', '--user', 'ann@example.com')
  await run('api-keys', 'create', '--user', 'ann@example.com')
  expect((await run('keys', 'list')).stdout).toMatch(/current +1 link, .*2 API keys$/m)
})
