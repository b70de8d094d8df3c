/** `latchkey mcp`: the administration API as tools for coding agents and assistants. */
import { isLoopback } from '../../lib/ip.ts'
import { exitCodes, Failure, usageError } from '../../project/failure.ts'
import { type Context, command, flag, list, option } from '../command.ts'
import type { Target } from './tools.ts'

const keyVariable = 'LATCHKEY_API_KEY'

export const mcp = command('mcp', 'Run an MCP server for agents', {
  description:
    'Serves the calls of the administration API as tools of the Model Context Protocol, over standard input and output. Tools that only read are offered by default; those that change something only if --allow names them, or with --allow-writes. Makes the calls on the running daemon with the API key in LATCHKEY_API_KEY: the permissions of that key limit each tool, and the audit log records its owner. Needs no database and no secret. Results contain text that users wrote.',
  examples: [
    'latchkey mcp',
    'latchkey mcp --allow ban_user --allow unban_user',
    'latchkey mcp --url https://accounts.example.com --allow-writes',
  ],
  options: {
    url: option('--url <url>', 'URL of the installation [baseURL]', (z) => z.url({ protocol: /^https?$/ }).optional()),
    allow: list('--allow <tool>', 'Also offer this tool, which changes something; repeatable'),
    allowWrites: flag('--allow-writes', 'Also offer all tools that change something'),
  },
  exitCodes: [exitCodes.configInvalid],
  action: async (context) => {
    const { options, output, env, signal } = context
    const key = env[keyVariable]
    if (!key) throw keyMissing()
    const { calls, target } = await prepare(context, key)
    const { offeredTools } = await import('./tools.ts')
    const offered = offeredTools(calls, options.allowWrites ? 'all' : checkNames(options.allow, calls))
    const writing = offered.filter(({ isRead }) => !isRead).length
    output.info(`Serves ${offered.length} tools for ${target.apiURL}; ${writing} of them change something`)
    const { serve } = await import('./serve.ts')
    await serve(offered, target, signal)
  },
})

/** @throws Failure ADMINISTRATION_DISABLED, API_KEYS_DISABLED, USAGE */
async function prepare({ options, loadConfig }: Context<{ readonly url?: string | undefined }>, key: string) {
  const { config } = await loadConfig({ needs: options.url === undefined ? ['baseURL'] : [] })
  const { requireApiKeys } = await import('../ready-app.ts')
  const { requireAdministration } = await import('../users/change-commands.ts')
  requireAdministration({ config })
  requireApiKeys({ config })
  const { apiURL } = await import('../../core/route.ts')
  const { enabledFeatures } = await import('../../core/feature.ts')
  const { featureList } = await import('../../features/index.ts')
  const { administrationCalls } = await import('../../features/open-api/index.ts')
  const { configuredHosts, createFetch } = await import('../../adapters/outbound-fetch.ts')
  const url = apiURL(options.url === undefined ? config : { ...config, baseURL: options.url })
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' && !isLoopback(hostname)) throw insecure(url)
  const [keyHeader = 'x-api-key'] = [config.apiKey.apiKeyHeaders].flat()
  const target: Target = { fetch: createFetch({ allowedHosts: configuredHosts({ url }) }), apiURL: url, keyHeader, key }
  return { calls: administrationCalls({ config, features: enabledFeatures(featureList, config) }), target }
}

const insecure = (url: string) =>
  usageError(`${url} would get the API key over plain HTTP`, 'Use https:// for every host other than localhost.')

/** @throws Failure USAGE for a name that no tool has */
function checkNames(names: readonly string[], calls: readonly { readonly name: string }[]): ReadonlySet<string> {
  const unknown = names.find((name) => !calls.some((call) => call.name === name))
  if (unknown === undefined) return new Set(names)
  throw usageError(`--allow: there is no tool ${unknown}`, `The tools are ${calls.map(({ name }) => name).join(', ')}.`)
}

const keyMissing = () =>
  new Failure('AGENT_KEY_MISSING', `${keyVariable} is not set`, {
    hint: 'Create a key for an administrator, with the permissions of the agent: see docs/mcp.md.',
  })
