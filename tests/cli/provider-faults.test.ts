/** Faults in the configuration of social sign-in, as an operator makes them, and that no secret of it is ever printed. */
import { describe, expect, test } from 'vitest'
import { complete, configFile, folder, latchkey, latchkeyJSON } from './kit.ts'

const client = `clientId: 'an-id', clientSecret: 'hunter2-hunter3'`

async function faults(options: string, env: Readonly<Record<string, string>> = {}) {
  const cwd = folder({ 'auth.config.ts': configFile(options) })
  const { exitCode, document, stderr, stdout } = await latchkeyJSON(cwd, ['config', 'check'], { ...complete, ...env })
  expect(exitCode).toBe(8)
  expect(stdout + stderr).not.toContain('hunter')
  return document.details as readonly { id: string; path: string; message: string; hint?: string }[]
}

describe('a missing client ID or client secret', () => {
  const fromEnvironment = `{
  socialProviders: {
    google: {
      clientId: process.env.GOOGLE_CLIENT_ID,
      clientSecret: process.env.MY_GOOGLE_SECRET,
    },
  },
}`
  test.each([['not set'], ['empty']])('is reported with its option, its line and its variable, which is %s', async (state) => {
    const env = { GOOGLE_CLIENT_ID: 'an-id', ...(state === 'empty' && { MY_GOOGLE_SECRET: '' }) }
    expect(await faults(fromEnvironment, env)).toEqual([
      {
        id: 'provider-credentials',
        path: 'socialProviders.google.clientSecret',
        message: 'Google needs a client secret (auth.config.ts:7)',
        hint: expect.stringMatching(/^MY_GOOGLE_SECRET is not set, neither in the environment nor in \.env\. /),
      },
    ])
  })
  test('that the file does not mention is reported with a variable to use, and not with the line of another provider', async () => {
    const details = await faults(`{
  socialProviders: {
    google: { clientId: 'an-id' },
    github: { ${client} },
  },
}`)
    expect(details).toEqual([
      {
        id: 'provider-credentials',
        path: 'socialProviders.google.clientSecret',
        message: 'Google needs a client secret (auth.config.ts:5)',
        hint: expect.stringContaining('GOOGLE_CLIENT_SECRET'),
      },
    ])
  })
  test('of a provider of genericOAuth is reported with its own line', async () => {
    const details = await faults(`{
  genericOAuth: {
    config: [
      { providerId: 'one', ${client} },
      { providerId: 'two', clientId: 'an-id' },
    ],
  },
}`)
    expect(details).toEqual([
      {
        id: 'provider-credentials',
        path: 'genericOAuth.config.1.clientSecret',
        message: 'two needs a client secret (auth.config.ts:7)',
        hint: expect.stringContaining('TWO_CLIENT_SECRET'),
      },
    ])
  })
  test('names the variable of each option, and what Apple makes a client secret of', async () => {
    const details = await faults(`{ socialProviders: { discord: {}, apple: { clientId: 'an-id' } } }`)
    const hints = Object.fromEntries(details.map(({ path, hint }) => [path, hint]))
    expect(hints).toEqual({
      'socialProviders.discord.clientId': expect.stringContaining('DISCORD_CLIENT_ID'),
      'socialProviders.discord.clientSecret': expect.stringContaining('DISCORD_CLIENT_SECRET'),
      'socialProviders.apple.clientSecret': expect.stringContaining('teamId, keyId, privateKey'),
    })
  })
  test('is an error of start too, and not of a disabled provider', async () => {
    const cwd = folder({ 'auth.config.ts': configFile(`{ socialProviders: { google: true } }`) })
    const { exitCode, stderr } = await latchkey(cwd, ['start', '--check'], complete)
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining('socialProviders.google.clientSecret')])
    const disabled = folder({ 'auth.config.ts': configFile(`{ socialProviders: { google: { enabled: false } } }`) })
    expect(await latchkey(disabled, ['config', 'check'], complete)).toMatchObject({ exitCode: 0 })
  })
})

describe('a provider that is configured at the wrong place', () => {
  const cases: readonly [what: string, options: string, path: string, hint: string][] = [
    ['a misspelled one', '{ socialProviders: { gihub: {} } }', 'socialProviders.gihub', 'Did you mean `github`?'],
    [
      'one that is not built in',
      '{ socialProviders: { keycloak: {} } }',
      'socialProviders.keycloak',
      "`genericOAuth: { config: [{ providerId: 'keycloak', … }] }`",
    ],
    ['a list of providers', `{ genericOAuth: [{ providerId: 'sso' }] }`, 'genericOAuth', '`genericOAuth: { config: [ … ] }`'],
    ['a list of built-in ones', `{ socialProviders: [{ id: 'google' }] }`, 'socialProviders', '`socialProviders: { … }`'],
    ['the plugin', `{ plugins: [{ id: 'generic-oauth' }] }`, 'plugins', '`genericOAuth: { config: [ … ] }`'],
    [
      'a misspelled option of a list',
      `{ genericOAuth: { config: [{ providerId: 'sso', clientID: 'x' }] } }`,
      'genericOAuth.config.0.clientID',
      'Did you mean `clientId`?',
    ],
    [
      'an option of genericOAuth',
      `{ socialProviders: { google: { ${client}, tokenUrl: 'https://sso.test' } } }`,
      'socialProviders.google.tokenUrl',
      '`tokenEndpoint`',
    ],
    [
      'an option of socialProviders',
      `{ genericOAuth: { config: [{ providerId: 'sso', ${client}, tokenEndpoint: 'https://sso.test' }] } }`,
      'genericOAuth.config.0.tokenEndpoint',
      '`tokenUrl`',
    ],
  ]
  test.each(cases)('%s is reported with what to write', async (_, options, path, hint) => {
    const details = await faults(options)
    expect(details).toEqual([expect.objectContaining({ path, hint: expect.stringContaining(hint) })])
  })
})

describe('a provider ID', () => {
  const provider = (id: string) => `{ providerId: '${id}', ${client} }`
  test('that is used twice is an error', async () => {
    const details = await faults(`{ genericOAuth: { config: [${provider('sso')}, ${provider('sso')}] } }`)
    expect(details).toEqual([expect.objectContaining({ id: 'provider-id', message: expect.stringContaining('"sso"') })])
  })
  test.each([
    ['google', 'socialProviders.google'],
    ['credential', 'another ID'],
  ])('%s is reserved', async (id, hint) => {
    const details = await faults(`{ genericOAuth: { config: [${provider(id)}] } }`)
    expect(details).toEqual([expect.objectContaining({ id: 'provider-id', hint: expect.stringContaining(hint) })])
  })
})

test('an endpoint with http: is an error, except on this machine and in development', async () => {
  const options = (url: string) => `{ socialProviders: { google: { ${client}, tokenEndpoint: '${url}' } } }`
  expect(await faults(options('http://token.test/x'))).toEqual([
    expect.objectContaining({ id: 'provider-plain-http', path: 'socialProviders.google.tokenEndpoint' }),
  ])
  const generic = `{ genericOAuth: { config: [{ providerId: 'sso', ${client}, discoveryUrl: 'http://sso.test/x' }] } }`
  expect(await faults(generic)).toEqual([
    expect.objectContaining({ id: 'provider-plain-http', path: 'genericOAuth.config.0.discoveryUrl' }),
  ])
  const inFull = `{ genericOAuth: { config: [{ providerId: 'sso', ${client}, tokenUrl: 'http://sso.test/x' }] } }`
  expect(await faults(inFull)).toEqual([
    expect.objectContaining({ id: 'provider-plain-http', path: 'genericOAuth.config.0.tokenUrl' }),
  ])
  const check = (url: string, env = {}) =>
    latchkey(folder({ 'auth.config.ts': configFile(options(url)) }), ['config', 'check'], { ...complete, ...env })
  expect(await check('http://127.0.0.1:9/x')).toMatchObject({ exitCode: 0 })
  expect(await check('http://token.test/x', { NODE_ENV: 'development' })).toMatchObject({ exitCode: 0 })
})

test('an endpoint with a password is an error that does not show it', async () => {
  const generic = `{ genericOAuth: { config: [{ providerId: 'sso', ${client}, discoveryUrl: 'https://u:hunter22@sso.test/x' }] } }`
  const details = await faults(generic)
  expect(details).toEqual([expect.objectContaining({ path: 'genericOAuth.config.0.discoveryUrl' })])
  expect(JSON.stringify(details)).not.toContain('hunter22')
  expect(
    await faults(`{ socialProviders: { google: { ${client}, tokenEndpoint: 'https://hunter22@token.test' } } }`),
  ).toHaveLength(1)
})

describe('secrets of providers', () => {
  const options = `{
    socialProviders: { github: { ${client} } },
    genericOAuth: { config: [{
      providerId: 'sso', ${client}, discoveryUrl: 'https://sso.acme.test/x',
      discoveryHeaders: { authorization: 'hunter4' }, authorizationHeaders: { 'x-key': 'hunter5' },
      mapProfileToUser: () => ({}),
    }] },
  }`
  test.each([
    ['config', 'show'],
    ['config', 'show', '--origin'],
    ['config', 'show', '--json'],
    ['config', 'check', '--json'],
    ['providers', 'list'],
    ['migrate', 'generate', '--dry-run'],
    ['openapi'],
    ['start', '--check'],
  ])('are not printed by %s %s %s', async (...args) => {
    const { exitCode, stdout, stderr } = await latchkey(folder({ 'auth.config.ts': configFile(options) }), args, complete)
    expect(stdout + stderr).not.toContain('hunter')
    expect([0, 3, 5]).toContain(exitCode)
  })
  test('are redacted in lists too, and the other options are shown', async () => {
    const cwd = folder({ 'auth.config.ts': configFile(options) })
    const { document } = await latchkeyJSON(cwd, ['config', 'show'], complete)
    expect(document.config).toMatchObject({
      socialProviders: { github: { clientId: 'an-id', clientSecret: '[redacted]' } },
      genericOAuth: {
        config: [
          {
            providerId: 'sso',
            clientId: 'an-id',
            clientSecret: '[redacted]',
            discoveryHeaders: '[redacted]',
            authorizationHeaders: '[redacted]',
            discoveryUrl: 'https://sso.acme.test/x',
            mapProfileToUser: '[function]',
          },
        ],
      },
    })
  })
  test('are not in the message of a value of the wrong type', async () => {
    await faults(`{ socialProviders: { github: { clientId: 'an-id', clientSecret: ['hunter2'] } } }`)
    await faults(`{ genericOAuth: { config: [{ providerId: 'sso', clientId: 'an-id', clientSecret: { value: 'hunter2' } }] } }`)
  })
})
