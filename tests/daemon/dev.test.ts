import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createProject, type Foreground, type Project, requireSuccess, statusOf, until } from './project.ts'

interface Welcome {
  readonly port: number
  readonly url: string
  readonly admin: { readonly email: string; readonly password: string }
}

/** A folder without a configuration. */
async function emptyProject(): Promise<Project> {
  const project = await createProject('dev')
  rmSync(join(project.folder, 'auth.config.ts'))
  return project
}

async function develop(project: Project, args: readonly string[] = []): Promise<{ foreground: Foreground; welcome: Welcome }> {
  const foreground = await project.serve(['dev', '--json', ...args])
  const find = () =>
    foreground
      .output()
      .split('\n')
      .find((line) => line.includes('"dev/v1"'))
  await until(() => find() !== undefined)
  return { foreground, welcome: JSON.parse(find() ?? '') }
}

const signIn = ({ url, admin }: Welcome) =>
  fetch(`${url}/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(admin),
  })

async function stop({ child, ended }: Foreground): Promise<void> {
  child.kill('SIGINT')
  expect(await ended()).toBe(0)
}

test('serves in an empty folder within three seconds, with an administrator who can sign in', async () => {
  const project = await emptyProject()
  const started = performance.now()
  const { foreground, welcome } = await develop(project, ['--port', String(project.port)])
  // A rough bound; the benchmark measures the time.
  expect(performance.now() - started).toBeLessThan(10_000)
  expect(welcome).toMatchObject({ port: project.port, url: `http://localhost:${project.port}/api/auth`, config: null })
  const signedIn = await signIn(welcome)
  expect(signedIn.status).toBe(200)
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  for (const call of ['list-users', 'list-events', 'health'])
    expect((await fetch(`${welcome.url}/admin/${call}`, { headers: { cookie, connection: 'close' } })).status).toBe(200)
  expect(await statusOf(`${welcome.url}/reference`)).toBe(200)
  await stop(foreground)
})

test('prints the addresses, the administrator and how to stop', async () => {
  const project = await emptyProject()
  const foreground = await project.serve(['dev', '--port', String(project.port)])
  await until(() => foreground.output().includes('Press Ctrl-C to stop'))
  const output = foreground.output()
  const start = `http://localhost:${project.port}/`
  for (const text of [
    `Start      ${start}`,
    `${start}mailbox`,
    `${start}api/auth/reference`,
    `Admin      ${start}admin`,
    'admin@localhost.test',
    'dev.db',
    'latchkey init',
  ]) {
    expect(output).toContain(text)
  }
  // What the developer needs is not hidden between lines of the audit log.
  expect(output).not.toMatch(/audit/i)
  // No colors without a terminal.
  expect(output).not.toContain('\u001b')
  await stop(foreground)
})

test('serves the hosted pages, compressed, and the administrator for the start page', async () => {
  const project = await emptyProject()
  const { foreground, welcome } = await develop(project, ['--port', '0'])
  const origin = new URL(welcome.url).origin
  const page = await fetch(`${origin}/sign-in`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const shell = await page.text()
  expect(shell).toContain('action="/api/auth/sign-in/email"')
  const [name = ''] = /assets\/[\w.-]+/.exec(shell) ?? []
  const file = await fetch(`${origin}/${name}`)
  expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  expect(await (await fetch(`${welcome.url}/development`)).json()).toEqual({ administrator: welcome.admin })
  await stop(foreground)
})

test('mails a verification link at sign-up, so that the mailbox has the first email', async () => {
  const project = await emptyProject()
  const { foreground, welcome } = await develop(project, ['--port', '0'])
  const signedUp = await fetch(`${welcome.url}/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }),
  })
  expect(signedUp.status).toBe(200)
  await until(async () => (await (await fetch(`${welcome.url}/mailbox/list`)).text()).includes('Confirm your email address'))
  await stop(foreground)
})

test('accepts pages on any port of this machine, in addition to trustedOrigins, and says so', async () => {
  const project = await createProject('dev')
  project.configure(`export default { emailAndPassword: { enabled: true }, trustedOrigins: async () => ['https://app.test'] }`)
  const foreground = await project.serve(['dev', '--port', String(project.port)])
  await until(() => foreground.output().includes('Press Ctrl-C to stop'))
  expect(foreground.output()).toMatch(/Trusts +pages on http:\/\/localhost:\* and http:\/\/127\.0\.0\.1:\*/)
  const allowed = async (origin: string) => {
    const headers = { origin, 'access-control-request-method': 'POST', connection: 'close' }
    const response = await fetch(`${project.api}/sign-in/email`, { method: 'OPTIONS', headers })
    return [response.status, response.headers.get('access-control-allow-origin')]
  }
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:3000', 'https://app.test'])
    expect(await allowed(origin)).toEqual([204, origin])
  expect(foreground.output()).not.toContain('untrusted')
  expect(await allowed('http://evil.test:5173')).toEqual([404, null])
  await until(() => foreground.output().includes('Rejected an untrusted origin. If it is yours, add it to trustedOrigins'))
  expect(foreground.output()).toContain('http://evil.test:5173')
  await stop(foreground)
})

test('keeps administrator, key and data across starts, readable by their owner only', async () => {
  const project = await emptyProject()
  const first = await develop(project, ['--port', '0'])
  await stop(first.foreground)
  const second = await develop(project, ['--port', '0'])
  expect(second.welcome.admin).toEqual(first.welcome.admin)
  expect((await signIn(second.welcome)).status).toBe(200)
  expect(readFileSync(join(project.folder, '.latchkey/.gitignore'), 'utf8')).toBe('*\n')
  for (const name of ['dev-secret', 'dev-admin.json', 'dev.db', '.gitignore']) {
    expect(statSync(join(project.folder, '.latchkey', name)).mode & 0o077).toBe(0)
  }
  await stop(second.foreground)
})

test('the printed password works after its file was removed', async () => {
  const project = await emptyProject()
  const first = await develop(project, ['--port', '0'])
  await stop(first.foreground)
  rmSync(join(project.folder, '.latchkey/dev-admin.json'))
  const second = await develop(project, ['--port', '0'])
  expect(second.welcome.admin.password).not.toBe(first.welcome.admin.password)
  expect((await signIn(second.welcome)).status).toBe(200)
  await stop(second.foreground)
})

test('uses another port when the configured one is in use, but not for --port', async () => {
  const project = await emptyProject()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(project.port, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const refused = await project.latchkeyProcess(['dev', '--port', String(project.port), '--json'])
  expect(refused.json()).toMatchObject({ code: 'PORT_IN_USE' })
  writeFileSync(
    join(project.folder, 'auth.config.ts'),
    `export default { emailAndPassword: { enabled: true }, server: { port: ${project.port} } }`,
  )
  const { foreground, welcome } = await develop(project)
  expect(welcome.port).toBeGreaterThan(project.port)
  expect(welcome.url).toContain(String(welcome.port))
  expect(foreground.output()).toContain(`Port ${project.port} is in use`)
  expect(await statusOf(`${welcome.url}/ok`)).toBe(200)
  // The other port stays across a reload.
  requireSuccess(await project.latchkey(['reload']))
  expect(await statusOf(`${welcome.url}/ok`)).toBe(200)
  await stop(foreground)
})

test('uses the features of a configuration, but not its servers and keys', async () => {
  const project = await createProject('dev')
  project.configure(`
    export default {
      environment: 'production',
      appName: 'Acme',
      baseURL: 'https://accounts.acme.test',
      database: { url: 'mysql://app:app@127.0.0.1:9/none' },
      redis: { url: 'redis://127.0.0.1:9' },
      rateLimit: { storage: 'secondary-storage' },
      server: { workers: 8, host: '0.0.0.0' },
      advanced: { cookiePrefix: '__Host-acme', crossSubDomainCookies: { domain: 'acme.test' }, useSecureCookies: true },
      emailAndPassword: { enabled: true, minPasswordLength: 30 },
    }`)
  const { foreground, welcome } = await develop(project, ['--port', '0'])
  expect((await signIn(welcome)).status).toBe(200)
  expect(await (await fetch(`${welcome.url}/open-api/generate-schema`)).text()).toContain('Acme')
  expect((await project.status()).workers).toHaveLength(1)
  await stop(foreground)
})

test('shows its mailbox to this machine only, under names of this machine', async () => {
  const project = await emptyProject()
  const { foreground, welcome } = await develop(project, ['--port', '0'])
  const ask = async (host: string) => {
    const sent = request(`${welcome.url}/mailbox/list`, { headers: { host, connection: 'close' } }).end()
    const [response] = await once(sent, 'response')
    response.resume()
    return response.statusCode
  }
  expect(await ask(`localhost:${welcome.port}`)).toBe(200)
  expect(await ask(`acme.localhost:${welcome.port}`)).toBe(200)
  expect(await ask(`rebind.evil.test:${welcome.port}`)).toBe(403)
  await stop(foreground)
  const open = await project.latchkeyProcess(['dev', '--port', '0', '--host', '0.0.0.0'])
  expect([open.exitCode, open.stderr]).toEqual([8, expect.stringContaining('server.host')])
})

test('reloads when the configuration, an imported file or .env changes, and keeps the previous one when it is invalid', async () => {
  const project = await createProject('dev')
  mkdirSync(join(project.folder, 'parts'))
  const write = (path: string, text: string) => writeFileSync(join(project.folder, path), text)
  write('parts/name.ts', `export const name: string = 'Alder'`)
  const config = (more: string) =>
    `import { name } from './parts/name.ts'\nexport default { appName: name + (process.env.TEST_SUFFIX ?? ''), openAPI: true, ${more} }`
  write('auth.config.ts', config(''))
  const { foreground, welcome } = await develop(project, ['--port', '0'])
  const title = async () => (await fetch(`${welcome.url}/open-api/generate-schema`, { headers: { connection: 'close' } })).text()
  expect(await title()).toContain('Alder')
  write('parts/name.ts', `export const name: string = 'Birch'`)
  await until(async () => (await title()).includes('Birch'))
  write('.env', 'TEST_SUFFIX=Cedar')
  await until(async () => (await title()).includes('BirchCedar'))
  write('auth.config.ts', config('nonsense: 1'))
  await until(() => foreground.output().includes('The previous configuration stays in use'))
  expect(foreground.output()).toContain('nonsense: Unknown option')
  expect(await title()).toContain('BirchCedar')
  write('auth.config.ts', config(''))
  // The generation counts successful reloads only.
  await until(async () => (await project.status()).lastReload?.failure === null)
  expect((await project.status()).generation).toBeGreaterThanOrEqual(4)
  expect(await statusOf(`${welcome.url}/ok`)).toBe(200)
  await stop(foreground)
})

test('requires an acknowledgement before the embedded database loses data', async () => {
  const project = await emptyProject()
  const first = await develop(project, ['--port', '0'])
  await stop(first.foreground)
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(join(project.folder, '.latchkey/dev.db'))
  database.exec(`create table leftover (id varchar(32) not null primary key) ; insert into leftover values ('kept')`)
  database.exec(`create table theirs (id varchar(32) not null primary key) ; insert into theirs values ('kept')`)
  // As of a feature that was on: what is not recorded belongs to another program.
  database.exec(`insert into latchkey_made values ('table:leftover'), ('column:leftover.id')`)
  database.close()
  const refused = await project.latchkeyProcess(['dev', '--port', '0', '--json'])
  expect(refused.exitCode).toBe(5)
  expect(refused.json()).toMatchObject({
    code: 'SCHEMA_LOSES_DATA',
    hint: expect.stringContaining('latchkey dev --acknowledge drop-table:leftover'),
  })
  const second = await develop(project, ['--port', '0', '--acknowledge', 'drop-table:leftover'])
  expect(await statusOf(`${second.welcome.url}/ok`)).toBe(200)
  await stop(second.foreground)
  const after = new DatabaseSync(join(project.folder, '.latchkey/dev.db'))
  expect(after.prepare(`select name from sqlite_master where name in ('leftover', 'theirs')`).all()).toEqual([{ name: 'theirs' }])
  after.close()
})

test('leaves no process and no state after it has ended', async () => {
  const project = await emptyProject()
  const { foreground } = await develop(project, ['--port', '0'])
  await stop(foreground)
  expect(existsSync(join(project.folder, '.latchkey/state.json'))).toBe(false)
  expect(existsSync(join(project.folder, '.latchkey/control.sock'))).toBe(false)
  expect(readFileSync(join(project.folder, '.latchkey/dev-secret'), 'utf8').length).toBeGreaterThan(32)
})
