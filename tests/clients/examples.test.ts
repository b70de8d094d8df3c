/** The code for applications in docs/organizations.md. */
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Client, createCookieFetch, type Version, versions } from './published.ts'
import { serve } from './served.ts'

const documentedOrigin = 'http://localhost:4000'

interface Example {
  readonly authClient: Client
  readonly createWithAdmin: (name: string, slug: string, email: string) => Promise<string>
}

/** With the client of a version in place of the installed one. */
async function load(version: Version): Promise<Example> {
  const client = version === 'newest' ? 'better-auth-newest' : 'better-auth'
  const alias = { 'better-auth/client/plugins': `${client}/client/plugins`, 'better-auth/client': `${client}/client` }
  const input = fileURLToPath(new URL('organization-example.mjs', import.meta.url))
  const built = await rolldown({ input, platform: 'node', resolve: { alias }, logLevel: 'silent' })
  const { output } = await built.generate({ format: 'esm' })
  await built.close()
  return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`)
}

/** Sends the requests of the example to a daemon on another port, with cookies as in a browser. */
function redirectTo(origin: string): void {
  const [direct, withCookies] = [globalThis.fetch, createCookieFetch()]
  vi.stubGlobal('fetch', (input: string | URL, init: RequestInit = {}) => {
    const url = String(input)
    if (!url.startsWith(documentedOrigin)) return direct(url, init)
    const headers = new Headers(init.headers)
    headers.set('origin', origin)
    return withCookies(url.replace(documentedOrigin, origin), { ...init, headers })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
}

test.each(versions)('the example creates an organization and invites an administrator (client %s)', async (version) => {
  const { origin, app } = await serve({ organization: { enabled: true } })
  redirectTo(origin)
  const { authClient, createWithAdmin } = await load(version)
  await authClient.signUp?.email?.({ name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' })
  const id = await createWithAdmin('Acme', 'acme', 'bob@example.com')
  const full = await authClient.organization?.getFullOrganization?.({})
  expect(full?.data).toMatchObject({ id, name: 'Acme', invitations: [{ email: 'bob@example.com', status: 'pending' }] })
  await expect(createWithAdmin('Acme', 'acme', 'eve@example.com')).rejects.toThrow('Organization already exists')
  expect(await app.db.selectFrom('organization').select('id').execute()).toEqual([{ id }])
  const allowed = await authClient.organization?.hasPermission?.({ permissions: { member: ['update'] } })
  expect(allowed?.data).toMatchObject({ success: true })
})
