import { hash } from 'node:crypto'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import type { ConfigFile } from '../features/index.ts'

const script = 'console.log("page")\n'

/** A daemon with the pages of `tests/kit/dashboard`, and more files. `//` begins a path from the root. */
async function served(config: ConfigFile = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-pages-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp('tests/kit/dashboard', folder, { recursive: true })
  await writeFile(join(folder, 'public/favicon.svg'), '<svg/>')
  await writeFile(join(folder, 'public/.sources'), 'a file of the build')
  await writeFile(join(folder, 'public/assets/page-1a2b.js'), script)
  await writeFile(join(folder, 'public/assets/page-1a2b.js.br'), brotliCompressSync(script))
  await writeFile(join(folder, 'public/assets/page-1a2b.js.gz'), gzipSync(script))
  await writeFile(join(folder, 'public/assets/font-3c4d.woff2'), 'font')
  const kit = await testApp(config, { dashboard: folder })
  return { ...kit, get: (path: string, headers = {}) => kit.browser().request(`/${path}`, { headers }) }
}

describe('a page', () => {
  test.each([
    '/',
    '/account/sessions',
    '/account/sessions/',
    '/account/sessions?page=2',
    '/organizations/an-id/members',
    '/organizations/1.2/members/',
  ])('at %s is the shell', async (path) => {
    const { get } = await served({ appName: `Ann's <Shop> __API__` })
    const { status, headers, body } = await get(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-cache')
    for (const filled of [
      '<base href="/">',
      '<meta name="api" content="/api/auth">',
      '<title>Ann&#39;s &lt;Shop&gt; __API__</title>',
    ])
      expect(body).toContain(filled)
  })

  test.each(['/metrics', '/api', '/sign-in/more', '/pages', '/organizations/a/b/members', '/organizations//members'])(
    'does not exist at %s',
    async (path) => {
      const { get } = await served()
      const { status, headers, body } = await get(path)
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(body).toContain('<base href="/">')
    },
  )

  test('has strict headers', async () => {
    const { get } = await served({ baseURL: 'https://accounts.example.com' })
    const { headers } = await get('/')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'self'; frame-ancestors 'none'",
    )
    expect(Object.fromEntries(headers)).toMatchObject({
      'accept-ch': 'Sec-CH-UA-Model, Sec-CH-UA-Platform-Version',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    expect(headers.get('permissions-policy')).toContain('camera=()')
  })

  test('may load the logo, the captcha and the mailbox frames, and nothing else', async () => {
    const { get } = await served({
      mail: { catch: true },
      captcha: { provider: 'cloudflare-turnstile', secretKey: 'x', siteKey: 'y' },
      dashboard: { branding: { logo: 'https://cdn.example.com/a;b/logo.svg' } },
    })
    const policy = (await get('/')).headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com;")
    expect(policy).toContain("img-src 'self' data: https://cdn.example.com;")
    expect(policy).toContain("frame-src 'self' https://challenges.cloudflare.com;")
  })

  test('of developers exists in development only', async () => {
    const production = { environment: 'production', baseURL: 'https://accounts.example.com' } as const
    expect((await (await served()).get('/mailbox')).status).toBe(200)
    expect((await (await served(production)).get('/mailbox')).status).toBe(404)
  })

  test('has the configured color in a style that the policy names', async () => {
    const { get } = await served({ dashboard: { branding: { accent: '#7A1FA2' } } })
    for (const path of ['/', '/sign-in']) {
      const { headers, body } = await get(path)
      const style = /<style>(.*?)<\/style>/.exec(String(body))?.[1] ?? ''
      expect(style).toContain('--accent-fill:#7A1FA2')
      expect(headers.get('content-security-policy')).toContain(`'sha256-${hash('sha256', style, 'base64')}'`)
    }
  })

  test('responds to GET and HEAD only', async () => {
    const { browser } = await served()
    const head = await browser().request('//sign-in', { method: 'HEAD' })
    expect([head.status, head.body, head.headers.get('content-type')]).toEqual([200, '', 'text/html; charset=utf-8'])
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const refused = await browser().request('//sign-in', { method })
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
    expect((await browser().request('//stop', { method: 'POST' })).status).toBe(404)
  })

  test('loads the session with its scripts if it uses one', async () => {
    const { get } = await served()
    const preload =
      '<link rel="preload" as="fetch" href="/api/auth/get-session?disableCustomSession=true" crossorigin="use-credentials">'
    expect((await get('/account/sessions')).body).toContain(preload)
    expect((await get('/')).body).not.toContain('get-session')
  })
})

describe('a file', () => {
  test('with a hash in its name is cached for a year', async () => {
    const { get } = await served()
    const { status, headers, body } = await get('/assets/page-1a2b.js')
    expect([status, body]).toEqual([200, script])
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-type')).toMatch(/^text\/javascript/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect((await get('/favicon.svg')).headers.get('cache-control')).toBe('public, max-age=3600')
  })

  test.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['BR;q=1.0, gzip', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', null],
    ['', null],
  ])('for Accept-Encoding "%s" is sent as %s', async (accepted, encoding) => {
    const { app, get } = await served()
    const { headers } = await get('/assets/page-1a2b.js', { 'accept-encoding': accepted })
    expect(headers.get('content-encoding')).toBe(encoding)
    expect(headers.get('vary')).toBe('Accept-Encoding')
    expect(app.dashboard?.files.get('assets/page-1a2b.js')?.br?.byteLength).toBe(brotliCompressSync(script).byteLength)
  })

  test('without a compressed copy is sent as it is', async () => {
    const { get } = await served()
    const { headers, body } = await get('/assets/font-3c4d.woff2', { 'accept-encoding': 'br, gzip' })
    expect([headers.get('content-encoding'), headers.get('content-type'), body]).toEqual([null, 'font/woff2', 'font'])
  })

  test.each([
    '/assets/unknown.js',
    '/assets/unknown',
    '/assets/page-1a2b.js.br',
    '/assets/..%2Findex.html',
    '/favicon.ico',
    '/assets/.sources',
    '/robots.txt',
    '/index.html',
    '/assets/%2e%2e/%2e%2e/package.json',
  ])('%s that was not built is not found', async (path) => {
    const { get } = await served()
    const { status, headers, body } = await get(path)
    expect([status, headers.get('cache-control'), body]).toEqual([404, 'no-store', 'Not Found'])
  })
})

describe('the hosted pages', () => {
  test('leave the API and the probes as they are', async () => {
    const { get } = await served()
    expect((await get('/api/auth/ok')).body).toEqual({ ok: true })
    expect((await get('/livez')).body).toEqual({ status: 'alive' })
    for (const path of ['/api/auth', '/api/auth/', '/api/auth/unknown', '/.well-known/unknown'])
      expect((await get(path)).status).toBe(404)
  })

  test('can be mounted at a path', async () => {
    const { get } = await served({ dashboard: { path: '/account' } })
    for (const path of ['/account', '/account/', '/account/sign-in'])
      expect((await get(path)).body).toContain('<base href="/account/">')
    expect((await get('/account/assets/page-1a2b.js')).body).toBe(script)
    for (const path of ['/', '/accounts', '/assets/page-1a2b.js']) expect((await get(path)).status).toBe(404)
  })
})
