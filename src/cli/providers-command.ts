import type { ConfiguredProvider } from '../features/social-sign-in/index.ts'
import type { LoadedConfig } from '../project/load-config.ts'
import { command, group } from './command.ts'
import type { Output } from './output.ts'

const list = command('list', 'List the providers with their redirect URIs', {
  description:
    'Shows each provider of the configuration with the redirect URI to register there, its scopes, and who may sign up and link with it. Includes disabled providers. Connects to no server.',
  examples: ['latchkey providers list', 'latchkey providers list --json | jq -r ".providers[].redirectURI"'],
  exitCodes: [8],
  deadline: 30,
  action: async ({ output, loadConfig }) => {
    const loaded = await loadConfig({ needs: ['baseURL'] })
    const { configuredProviders, disabledProviders } = await import('../features/social-sign-in/index.ts')
    const found = await Promise.all([
      ...configuredProviders(loaded.config).map((provider) => view(loaded, provider, true)),
      ...disabledProviders(loaded.config, loaded.written).map((provider) => view(loaded, provider, false)),
    ])
    output.result('providers-list/v1', { providers: found }, found.map((one) => describe(one, output)).join('\n\n') || [])
    if (found.length === 0) output.info(example)
  },
})

type ListedProvider = Awaited<ReturnType<typeof view>>

async function view({ config }: LoadedConfig, provider: ConfiguredProvider, enabled: boolean) {
  const { linkingOf, redirectURI, registrationURL, scopesToRequest, signUpOf } = await import(
    '../features/social-sign-in/index.ts'
  )
  const { id, declaration, generic } = provider
  return {
    id,
    name: declaration.name,
    enabled,
    option: generic ? 'genericOAuth' : `socialProviders.${id}`,
    redirectURI: redirectURI(config, provider),
    registrationURL: registrationURL(provider) ?? null,
    scopes: scopesToRequest(provider),
    signUp: signUpWords[signUpOf(provider)],
    linking: linkingWords[linkingOf(config, id)],
  }
}

/** As the output of the command names them. `requested`: only for requests with `requestSignUp`. */
const signUpWords = { always: 'allowed', requested: 'requested', never: 'disabled' } as const
const linkingWords = { verified: 'verified', always: 'always', never: 'disabled' } as const

const linkingTexts = {
  verified: 'with a verified email address',
  always: 'also with an unverified email address: the provider is trusted',
  disabled: 'disabled',
}
const signUpTexts = { allowed: 'allowed', requested: 'only with requestSignUp', disabled: 'disabled' }

function describe(listed: ListedProvider, { paint }: Output): string {
  const { id, name, enabled, redirectURI, registrationURL, scopes, signUp, linking } = listed
  const rows = [
    ['redirect URI', redirectURI],
    ...(registrationURL === null ? [] : [['register at', registrationURL]]),
    ['scopes', scopes.join(' ') || 'none'],
    ['sign-up', signUpTexts[signUp]],
    ['linking', linkingTexts[linking]],
  ] as const
  const head = `${paint.bold(id)}  ${name}${enabled ? '' : paint.yellow('  disabled')}`
  return [head, ...rows.map(([title = '', value = '']) => `  ${paint.dim(title.padEnd(12))}  ${value}`)].join('\n')
}

const example = `No provider is configured. Add one to auth.config.ts, such as:

  socialProviders: { google: { clientId: process.env.GOOGLE_CLIENT_ID, clientSecret: process.env.GOOGLE_CLIENT_SECRET } },

Then run this command again to see the redirect URI to register.`

export const providers = group('providers', 'List the providers of social sign-in', {
  examples: ['latchkey providers list'],
  commands: [list],
})
