import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { complete, configFile, folder, latchkey, latchkeyJSON } from './kit.ts'

const client = `clientId: 'an-id', clientSecret: 'hunter2-hunter3'`
const list = (options: string, env = complete) =>
  latchkeyJSON(folder({ 'auth.config.ts': configFile(options) }), ['providers', 'list'], env)

describe('providers list', () => {
  test('shows redirect URI, scopes, sign-up and linking of each provider, and no secret', async () => {
    const { document, stdout, exitCode } = await list(`{
      socialProviders: {
        google: { ${client}, scope: ['calendar'] },
        github: { ${client}, disableImplicitSignUp: true, redirectURI: 'https://acme.test/back' },
      },
      genericOAuth: { config: [{ providerId: 'key cloak'.replace(' ', '-'), name: 'Acme', ${client}, discoveryUrl: 'https://sso.acme.test/.well-known/openid-configuration', scopes: ['openid'], disableSignUp: true }] },
      account: { accountLinking: { trustedProviders: ['key-cloak'] } },
    }`)
    expect(exitCode).toBe(0)
    expect(document).toEqual({
      schema: 'providers-list/v1',
      providers: expect.arrayContaining([
        {
          id: 'google',
          name: 'Google',
          enabled: true,
          option: 'socialProviders.google',
          redirectURI: 'http://localhost:4000/api/auth/callback/google',
          registrationURL: expect.stringMatching(/^https:/),
          scopes: ['email', 'profile', 'openid', 'calendar'],
          signUp: 'allowed',
          linking: 'verified',
        },
        expect.objectContaining({ id: 'github', redirectURI: 'https://acme.test/back', signUp: 'requested' }),
        expect.objectContaining({
          id: 'key-cloak',
          name: 'Acme',
          option: 'genericOAuth',
          redirectURI: 'http://localhost:4000/api/auth/oauth2/callback/key-cloak',
          registrationURL: null,
          scopes: ['openid'],
          signUp: 'disabled',
          linking: 'always',
        }),
      ]),
    })
    expect(stdout).not.toContain('hunter')
  })
  test('lists a disabled provider, whose redirect URI must be registered first', async () => {
    const { document } = await list(
      `{ socialProviders: { google: { enabled: false }, github: false }, account: { accountLinking: { enabled: false } } }`,
    )
    expect(document.providers).toEqual([
      expect.objectContaining({
        id: 'google',
        enabled: false,
        linking: 'disabled',
        redirectURI: expect.stringContaining('/callback/google'),
      }),
      expect.objectContaining({ id: 'github', enabled: false }),
    ])
  })
  test('names the page of a self-hosted instance, and not that of the public one', async () => {
    const { document } = await list(`{ socialProviders: { gitlab: { ${client}, issuer: 'https://git.acme.test/' } } }`)
    expect(document.providers).toMatchObject([
      { id: 'gitlab', registrationURL: 'https://git.acme.test/-/user_settings/applications' },
    ])
  })
  test('prints text for a reader', async () => {
    const cwd = folder({ 'auth.config.ts': configFile(`{ socialProviders: { github: { ${client} } } }`) })
    const { stdout } = await latchkey(cwd, ['providers', 'list'], complete)
    expect(stdout.split('\n')).toEqual([
      'github  GitHub',
      '  redirect URI  http://localhost:4000/api/auth/callback/github',
      '  register at   https://github.com/settings/developers',
      '  scopes        read:user user:email',
      '  sign-up       allowed',
      '  linking       with a verified email address',
    ])
  })
  test('shows the lines to add when there is none', async () => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    const { stdout, stderr, exitCode } = await latchkey(cwd, ['providers', 'list'], complete)
    expect([exitCode, stdout]).toEqual([0, ''])
    expect(stderr).toContain('google: { clientId: process.env.GOOGLE_CLIENT_ID')
    expect((await list('{}')).document.providers).toEqual([])
  })
  test('does not need a database', async () => {
    const { exitCode } = await list(`{ socialProviders: { github: { ${client} } } }`, {
      ...complete,
      DATABASE_URL: 'mysql://u:p@127.0.0.1:1/x',
    })
    expect(exitCode).toBe(0)
  })
})

describe('docs/social-sign-in.md', () => {
  const page = readFileSync(new URL('../../docs/social-sign-in.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/^ *```ts\n([\s\S]*?)^ *```$/gm)].map(([, code = '']) => code)
  const whole = blocks.filter((code) => code.includes('defineConfig('))
  const parts = blocks.filter((code) => /^(socialProviders|genericOAuth|account): /.test(code))
  // What mounted secrets and variables would hold.
  const filled = (text: string) =>
    text
      .replaceAll(
        /process\.env\.APPLE_PRIVATE_KEY/g,
        "generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })",
      )
      .replaceAll(/process\.env\.\w+|secretOf\('[\w-]+'\)/g, "'a-value'")
  const listed = async (text: string) => {
    const cwd = folder({ 'auth.config.ts': `import { generateKeyPairSync } from 'node:crypto'\n${filled(text)}` })
    const { document } = await latchkeyJSON(cwd, ['providers', 'list'], complete)
    return document.providers as readonly { readonly redirectURI: string; readonly id: string }[]
  }
  test('has configurations that are valid', async () => {
    expect([whole.length, parts.length]).toEqual([2, 5])
    for (const text of whole) expect(await listed(text)).toHaveLength(1)
    for (const text of parts) expect((await listed(configFile(`{ ${text} }`))).length).toBeGreaterThan(0)
  })
  test('names the redirect URIs that result', async () => {
    const [first] = await listed(whole[0] ?? '')
    expect(page).toContain(`   ${first?.redirectURI}\n`)
    const generic = parts.find((text) => text.startsWith('genericOAuth')) ?? ''
    const [keycloak] = await listed(configFile(`{ baseURL: 'https://accounts.example.com', ${generic} }`))
    expect(page).toContain(`\`${keycloak?.redirectURI}\``)
  })
})
