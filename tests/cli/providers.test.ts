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
