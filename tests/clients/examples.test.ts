/** The code for applications in docs/organizations.md and docs/administration.md. */
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, onTestFinished, test, vi } from 'vitest'
import { setRoleOf } from '../../src/features/admin/index.ts'
import { type Client, createCookieFetch, type Version, versions } from './published.ts'
import { serve } from './served.ts'

const documentedOrigin = 'http://localhost:4000'

interface OrganizationExample {
  readonly authClient: Client
  readonly createWithAdmin: (name: string, slug: string, email: string) => Promise<string>
}
interface AdminExample {
  readonly authClient: Client
  readonly banForAWeek: (email: string, banReason: string) => Promise<object>
}

/** With the client of a version in place of the installed one. */
async function load<Example>(file: string, version: Version): Promise<Example> {
  const client = version === 'newest' ? 'better-auth-newest' : 'better-auth'
  const alias = { 'better-auth/client/plugins': `${client}/client/plugins`, 'better-auth/client': `${client}/client` }
  const input = fileURLToPath(new URL(file, import.meta.url))
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
  const { authClient, createWithAdmin } = await load<OrganizationExample>('organization-example.mjs', version)
  await authClient.signUp?.email?.({ name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' })
  const id = await createWithAdmin('Acme', 'acme', 'bob@example.com')
  const full = await authClient.organization?.getFullOrganization?.({})
  expect(full?.data).toMatchObject({ id, name: 'Acme', invitations: [{ email: 'bob@example.com', status: 'pending' }] })
  await expect(createWithAdmin('Acme', 'acme', 'eve@example.com')).rejects.toThrow('Organization already exists')
  expect(await app.db.selectFrom('organization').select('id').execute()).toEqual([{ id }])
  const allowed = await authClient.organization?.hasPermission?.({ permissions: { member: ['update'] } })
  expect(allowed?.data).toMatchObject({ success: true })
})

test.each(versions)('the example bans a user for a week (client %s)', async (version) => {
  const { origin, app } = await serve({ admin: { enabled: true } })
  redirectTo(origin)
  const { authClient, banForAWeek } = await load<AdminExample>('admin-example.mjs', version)
  const signUp = (name: string) =>
    authClient.signUp?.email?.({ name, email: `${name}@example.com`, password: 'correct horse battery' })
  await signUp('bob')
  const ann = await signUp('ann')
  await expect(banForAWeek('bob@example.com', 'Spam')).rejects.toThrow('You are not allowed to list users')
  await setRoleOf(app, null, String(ann?.data.user.id), 'admin')
  const banned = await banForAWeek('bob@example.com', 'Spam')
  expect(banned).toMatchObject({ email: 'bob@example.com', banned: true, banReason: 'Spam', banExpires: expect.anything() })
  await expect(banForAWeek('eve@example.com', 'Spam')).rejects.toThrow('There is no user eve@example.com')
})
