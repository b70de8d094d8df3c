import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { respondWith, standIn } from '../../../tests/kit/provider-stand-in.ts'
import { configuredHosts, createFetch } from '../../adapters/outbound-fetch.ts'
import { type ConfigFile, featureList } from '../../features/index.ts'
import { declaredProviders } from '../../features/social-sign-in/index.ts'
import { configParser } from '../../project/config/parse-config.ts'
import { checkProviders } from './check-providers.ts'

const parse = configParser(featureList)

const now = Date.UTC(2026, 0, 1)
const client = { clientId: 'id', clientSecret: 'hunter2-hunter3' }

async function examine(more: ConfigFile, timeoutMs?: number) {
  const given = { secret: 'kq83hd92jf7s6d5f4g3h2j1k0l9z8x7c', database: { url: 'sqlite::memory:' }, ...more }
  const parsed = parse({ baseURL: 'https://auth.acme.test', ...given })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  const fetch = createFetch({ allowedHosts: configuredHosts(parsed.config), ...(timeoutMs && { timeoutMs }) })
  onTestFinished(fetch.close)
  const findings = await checkProviders(parsed.config, { fetch, now: () => now })
  expect(JSON.stringify(findings)).not.toContain('hunter')
  return Object.fromEntries(findings.map((finding) => [finding.id, finding]))
}

const github = (more: ConfigFile = {}) => examine({ socialProviders: { github: client }, ...more })
const sso = (more: object, timeoutMs?: number) =>
  examine({ genericOAuth: { config: [{ providerId: 'sso', ...client, ...more }] } }, timeoutMs)

test('nothing is checked when no provider is configured', async () => {
  expect(await examine({})).toEqual({ providers: expect.objectContaining({ status: 'skipped' }) })
})

describe('the redirect URI', () => {
  const uri = expect.stringMatching(
    /Register exactly this redirect URI.*: https:\/\/auth\.acme\.test\/api\/auth\/callback\/github$/,
  )
  test('is printed exactly as it must be registered', async () => {
    expect((await github())['provider:github']).toMatchObject({ status: 'ok', message: uri })
  })
  test('may be http: on this machine, but elsewhere most providers reject it', async () => {
    expect((await github({ baseURL: 'http://localhost:4000' }))['provider:github']?.status).toBe('ok')
    const open = await github({ baseURL: 'http://auth.acme.test', server: { allowPlainHTTP: true } })
    expect(open['provider:github']).toMatchObject({ status: 'warning', fix: expect.stringContaining('https:') })
  })
  test('fails with http: for a provider that requires https:', async () => {
    const declared = { ...declaredProviders().github }
    onTestFinished(() => void Object.assign(declaredProviders(), { github: declared }))
    Object.assign(declaredProviders(), { github: { ...declared, requiresHTTPS: true } })
    const found = await github({ baseURL: 'http://localhost:4000' })
    expect(found['provider:github']).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('not even for localhost'),
    })
    expect((await github())['provider:github']?.status).toBe('ok')
  })
  test.each(['slack', 'tiktok'])('fails with http: for %s', async (id) => {
    const socialProviders = { [id]: { ...client, clientKey: 'key' } }
    const found = await examine({ baseURL: 'http://localhost:4000', socialProviders })
    expect(found[`provider:${id}`]).toMatchObject({ status: 'failed' })
  })
})

describe('discovery', () => {
  const path = '/.well-known/openid-configuration'
  const endpoints = async (document: (origin: string) => object) => {
    const server = await standIn()
    server.set({ [`GET ${path}`]: document(server.origin) })
    return (await sso({ discoveryUrl: `${server.origin}${path}` }))['provider-endpoints:sso']
  }
  const complete = (origin: string) => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/keys`,
  })
  test('is fine when the document names its issuer and all endpoints', async () => {
    expect(await endpoints(complete)).toMatchObject({ status: 'ok', message: expect.stringContaining('http://127.0.0.1') })
  })
  test('fails when the document names another issuer', async () => {
    const found = await endpoints((origin) => ({ ...complete(origin), issuer: 'https://other.test' }))
    expect(found).toMatchObject({ status: 'failed', message: expect.stringContaining('another issuer') })
  })
  test('fails when endpoints are missing, and names the options that replace them', async () => {
    const found = await endpoints((origin) => ({ issuer: origin, jwks_uri: `${origin}/keys` }))
    expect(found).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/authorization endpoint.*token endpoint/),
      fix: expect.stringContaining('authorizationUrl and tokenUrl'),
    })
    expect((await sso({}))['provider-endpoints:sso']).toMatchObject({ status: 'failed' })
    const urls = { authorizationUrl: 'https://sso.test/a', tokenUrl: 'https://sso.test/t' }
    expect((await sso(urls))['provider-endpoints:sso']).toMatchObject({ fix: expect.stringContaining('userInfoUrl') })
    expect((await sso({ ...urls, userInfoUrl: 'https://sso.test/u' }))['provider-endpoints:sso']).toBeUndefined()
  })
  test('fails for a response that is not a document', async () => {
    const server = await standIn({ 'GET /html': respondWith(200, '<html>'), 'GET /error': respondWith(500, '{}') })
    const found = async (name: string) => (await sso({ discoveryUrl: `${server.origin}/${name}` }))['provider-endpoints:sso']
    expect(await found('html')).toMatchObject({ status: 'failed', message: expect.stringContaining('not JSON') })
    expect(await found('error')).toMatchObject({ status: 'failed', message: expect.stringContaining('status 500') })
  })
  test('is a warning when this machine is offline, or the provider does not respond', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const offline = await sso({ discoveryUrl: `http://127.0.0.1:${port}/` })
    expect(offline['provider-endpoints:sso']).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('ECONNREFUSED'),
    })
    const silent = await standIn({ 'GET /': () => undefined })
    const slow = await sso({ discoveryUrl: `${silent.origin}/` }, 200)
    expect(slow['provider-endpoints:sso']?.status).toBe('warning')
  })
  test('fetches all documents in parallel', async () => {
    const server = await standIn()
    const waiting: (() => void)[] = []
    // Neither response is sent before both requests are there.
    const both = async (_: unknown, response: { end(): void }) => {
      waiting.push(() => response.end())
      if (waiting.length === 2) for (const end of waiting) end()
    }
    server.set({ 'GET /one': both, 'GET /two': both })
    const config = ['one', 'two'].map((name) => ({ providerId: name, ...client, discoveryUrl: `${server.origin}/${name}` }))
    const found = await examine({ genericOAuth: { config } })
    expect([found['provider-endpoints:one']?.status, found['provider-endpoints:two']?.status]).toEqual(['failed', 'failed'])
  })
})

describe('a client secret that is a JWT', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const inDays = async (days: number) => {
    const clientSecret = `${part({ alg: 'ES256' })}.${part({ iss: 'TEAM', exp: now / 1000 + days * 86_400 })}.c2ln`
    return (await github({ socialProviders: { github: { ...client, clientSecret } } }))['provider-secret:github']
  }
  test.each([
    [180, 'ok', 'valid until 2026-06-30'],
    [29, 'warning', 'expires in 29 days, on 2026-01-30'],
    [0, 'failed', 'expired on 2026-01-01'],
    [-3, 'failed', 'expired on 2025-12-29'],
  ])('in %i days is %s', async (days, status, words) => {
    expect(await inDays(days)).toMatchObject({ status, message: expect.stringContaining(words) })
  })
  test('is not looked for in other secrets', async () => {
    expect((await github())['provider-secret:github']).toBeUndefined()
    const found = await github({ socialProviders: { github: { ...client, clientSecret: 'one.two.three' } } })
    expect(found['provider-secret:github']).toBeUndefined()
  })
})

describe('email addresses', () => {
  test.each([
    ['reddit', 'Reddit sends no email addresses'],
    ['roblox', 'Roblox sends no email addresses'],
    ['tiktok', 'TikTok sends no email addresses'],
  ])('of %s are a warning', async (id, message) => {
    const found = await examine({ socialProviders: { [id]: { ...client, clientKey: 'key' } } })
    expect(found[`provider-emails:${id}`]).toMatchObject({ status: 'warning', message: expect.stringContaining(message) })
  })
  const emailsOf = async (emails: string, mapProfileToUser?: () => object) => {
    const declared = { ...declaredProviders().github }
    onTestFinished(() => void Object.assign(declaredProviders(), { github: declared }))
    Object.assign(declaredProviders(), { github: { ...declared, emails } })
    return (await github({ socialProviders: { github: { ...client, mapProfileToUser } } }))['provider-emails:github']
  }
  test('that are placeholders are a warning, unless a function maps them', async () => {
    expect(await emailsOf('none')).toMatchObject({ status: 'warning', fix: expect.stringContaining('mapProfileToUser') })
    expect(await emailsOf('none', () => ({ email: 'ann@example.com' }))).toBeUndefined()
  })
})

describe('linking', () => {
  const linking = async (accountLinking: object) => github({ account: { accountLinking } })
  test('trusts providers only if they verify all email addresses', async () => {
    expect((await github())['linking-trusted-providers']).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('None'),
    })
    expect((await linking({ trustedProviders: ['github'] }))['linking-trusted-providers']).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('github'),
    })
    expect((await linking({ trustedProviders: ['gihub'] }))['linking-trusted-providers']).toMatchObject({
      status: 'warning',
      message: 'Not configured: gihub',
    })
  })
  test.each([
    ['reject', 'ok', 'both sides'],
    ['revoke', 'ok', "Recommended: account.accountLinking.unverifiedUsers: 'reject'"],
    ['keep', 'warning', 'keeps access'],
    [undefined, 'warning', 'no verification emails are sent'],
  ])('of unverified users: %s is %s', async (unverifiedUsers, status, words) => {
    const found = (await linking({ unverifiedUsers }))['linking-unverified-users']
    expect(found).toMatchObject({ status, message: expect.stringContaining(words) })
  })
  test('revokes earlier access by default when verification emails are sent', async () => {
    const found = await github({ emailVerification: { sendVerificationEmail: () => {} } })
    expect(found['linking-unverified-users']).toMatchObject({ status: 'ok', message: expect.stringContaining('revoked') })
  })
  test('has nothing to warn about when it is disabled', async () => {
    const found = await linking({ enabled: false, trustedProviders: ['github'], unverifiedUsers: 'keep' })
    expect([found['linking-trusted-providers']?.status, found['linking-unverified-users']?.status]).toEqual(['ok', 'ok'])
  })
})
