/** Each member of each provider's profile, missing, empty, of another type, and too long (contract 03 §3). */
import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { outcome } from '../../../tests/kit/provider-checks.ts'
import { type DocumentedProfile, documentedProfiles } from '../../../tests/kit/provider-profiles.ts'
import { openCallback, type SigningKey, signingKey, startFlow } from '../../../tests/kit/provider-stand-in.ts'
import { isObject } from '../../lib/objects.ts'
import { isPlaceholderEmail } from '../../lib/placeholder-email.ts'
import type { ConfigFile } from '../index.ts'
import { declaredProviders } from './configured-providers.ts'

const generic = (providerId: string, more: object) => ({
  providerId,
  clientId: 'the-client',
  clientSecret: 'the-client-secret',
  authorizationUrl: 'https://acme.example/authorize',
  tokenUrl: 'https://acme.example/token',
  userInfoUrl: 'https://acme.example/userinfo',
  pkce: true,
  ...more,
})

const options = { clientId: 'the-client', clientKey: 'the-client', clientSecret: 'the-client-secret' }
const config = {
  socialProviders: Object.fromEntries(Object.keys(declaredProviders()).map((id) => [id, options])),
  genericOAuth: {
    config: [
      generic('generic-user-info', {}),
      generic('generic-id-token', { jwksUri: 'https://acme.example/keys', issuer: 'https://acme.example' }),
    ],
  },
  account: { updateAccountOnSignIn: false },
} as ConfigFile

/** Values that a provider sends in place of a member. `undefined`: it leaves the member out. */
const replacements: readonly unknown[] = [undefined, null, '', ' ', 7, true, 'x', [], {}, ['x'], { a: 1 }, 'x'.repeat(70_000)]

/** All paths of a JSON value, such as `data.0.email`. */
function pathsOf(value: unknown, path = ''): string[] {
  if (!isObject(value)) return [path]
  const inside = Object.entries(value).flatMap(([name, member]) => pathsOf(member, path ? `${path}.${name}` : name))
  return path ? [path, ...inside] : inside
}

function withMember(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [name = '', ...rest] = path
  if (path.length === 0) return replacement
  const copy = Array.isArray(value) ? [...value] : { ...Object(value) }
  copy[name] = withMember(Object(value)[name], rest, replacement)
  return copy
}

interface Sent {
  readonly claims: unknown
  readonly responses: Readonly<Record<string, unknown>>
}

/** Each change of a profile: the changed member, and what the provider sends then. */
function* changesOf({ claims, responses = {} }: DocumentedProfile) {
  for (const path of claims ? pathsOf(claims) : [])
    for (const value of replacements)
      yield { path, value, url: null, sent: { claims: withMember(claims, path.split('.'), value), responses } }
  for (const [url, body] of Object.entries(responses))
    for (const path of pathsOf(body))
      for (const value of replacements) {
        const changed = { ...responses, [url]: withMember(body, path.split('.'), value) }
        yield { path, value, url, sent: { claims, responses: changed } }
      }
}
type Change = ReturnType<typeof changesOf> extends Generator<infer C> ? C : never

/** All providers, whose responses are in this process. */
async function open() {
  const kit = await testApp(config)
  const key = await signingKey(kit.clock.now, { alg: 'ES256' })
  let current: { sent: Sent; nonce: string | null; failing: readonly string[] } | undefined
  const send = async (input: Parameters<typeof fetch>[0]) => {
    const url = String(input instanceof Request ? input.url : input)
    const { sent, nonce, failing } = current ?? expect.fail('no provider')
    const known = [url, url.split('?')[0] ?? ''].find((one) => one in sent.responses)
    if (failing.includes(known ?? '')) return new Response('<!doctype html>', { status: 403 })
    if (known !== undefined) return Response.json(sent.responses[known])
    if (/keys|certs|jwks/.test(url)) return Response.json(key.jwks)
    if (/token|oauth2\/auth$/i.test(url)) return Response.json({ access_token: 'a', ...(await idToken(key, sent, nonce)) })
    return new Response('Not found', { status: 404 })
  }
  Object.assign(kit.app, { fetch: send })
  const signIn = async (id: string, sent: Sent, failing: readonly string[] = []) => {
    const browser = kit.browser()
    const url = await startFlow(browser, id)
    current = { sent, failing, nonce: url.searchParams.get('nonce') }
    return outcome(await openCallback(browser, id, url))
  }
  return { ...kit, signIn }
}

async function idToken(key: SigningKey, { claims }: Sent, nonce: string | null): Promise<object> {
  if (!isObject(claims)) return {}
  return { id_token: await key.sign({ aud: 'the-client', ...(nonce !== null && { nonce }), ...claims }) }
}

const isIdentity = ({ subject, gates = [] }: DocumentedProfile, { path, url }: Change, more: readonly string[] = []) =>
  !(url !== null && more.includes(url)) && [...subject, ...gates].includes(path)

const noProfile = ['302 unable_to_get_user_info', '302 email_is_missing']

/** Where a change of an unknown user's profile may end. */
function expectedOf(profile: DocumentedProfile, change: Change): readonly string[] {
  const ends = ['302 /dashboard']
  const { email = ['email'] } = profile
  if (isIdentity(profile, change, profile.more)) ends.push(...noProfile)
  // VK: an address is part of its profile.
  if (email.includes(change.path)) ends.push('302 email_not_found', '302 unable_to_get_user_info')
  // Longer than every address.
  if (change.path.includes('email') && String(change.value).length > 255) ends.push('302 unable_to_create_user')
  return ends
}

test('there is a documented profile of each provider', () => {
  expect(Object.keys(documentedProfiles)).toEqual(expect.arrayContaining(Object.keys(declaredProviders())))
})

describe.each(Object.entries(documentedProfiles))('%s', (id, profile) => {
  const { claims, responses = {}, more = [] } = profile
  let kit: Awaited<ReturnType<typeof open>>
  beforeEach(async () => {
    kit = await open()
  })
  const documented = { claims, responses }
  const failures = async (run: (change: Change) => Promise<string | null>) => {
    const found: string[] = []
    for (const change of changesOf(profile)) {
      const failure = await run(change)
      if (failure !== null) found.push(`${change.path} as ${String(JSON.stringify(change.value)).slice(0, 20)}: ${failure}`)
    }
    return found
  }

  test('a known user signs in whatever the provider sends, if it identifies them', async () => {
    expect(await kit.signIn(id, documented)).toBe('302 /dashboard')
    const found = await failures(async (change) => {
      if (isIdentity(profile, change, more)) return null
      const end = await kit.signIn(id, change.sent)
      return end === '302 /dashboard' ? null : end
    })
    expect(found).toEqual([])
    expect(await kit.app.db.selectFrom('user').select('email').execute()).toHaveLength(1)
    expect(kit.counted).not.toContain('unexpected_error')
  })

  test('a new user signs up whatever the provider sends, and is verified only if the provider says so', async () => {
    const found = await failures(async (change) => {
      const end = await kit.signIn(id, change.sent)
      const user = await kit.app.db.selectFrom('user').select(['email', 'emailVerified']).executeTakeFirst()
      await kit.app.db.deleteFrom('user').execute()
      if (!expectedOf(profile, change).includes(end)) return end
      const isOfEmail = change.path === profile.verified && (change.url === null || !claims)
      const says = isOfEmail ? change.value === true : true
      const isRight = !user?.emailVerified || (says && !isPlaceholderEmail(user.email) && user.email.includes('@'))
      return isRight ? null : `verified: ${user.email}`
    })
    expect(found).toEqual([])
    expect(kit.log.filter((line) => line.split('\n').length > 1)).toEqual([])
  })

  test.runIf(more.length > 0)('signs in when a further request is rejected', async () => {
    const known = await kit.signIn(id, documented)
    expect([known, await kit.signIn(id, documented, more)]).toEqual(['302 /dashboard', '302 /dashboard'])
  })
})
