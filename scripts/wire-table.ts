/** Writes the tables of docs/compatibility.md about calls of better-auth 1.2 to 1.7, and views of its component library. */
import { betterAuth } from 'better-auth'
import * as plugins from 'better-auth/plugins'
import { passkey } from 'better-auth/plugins/passkey'
import { featureList } from '../src/features/index.ts'
import { newest } from '../tools/newest-client/server.ts'
import { organizationViews, userViews, visitorViews } from './component-views.ts'
import { publishedCalls } from './published-calls.ts'
import { callsLeftOut, firstVersion, pluginsLeftOut, wireHistory } from './wire-history.ts'

/** `/callback/:id` and `/callback/:provider` are one path. */
const withoutNames = (call: string) => call.replaceAll(/:\w+/g, ':')

const served = new Set(Object.values(featureList).flatMap(({ routes = {} }) => Object.keys(routes).map(withoutNames)))

/** @param call such as `POST /sign-in/email` */
export const isServed = (call: string): boolean => served.has(withoutNames(call))

export const firstCalls = publishedCalls({ betterAuth, plugins: { ...plugins, passkey } })
export const newestCalls = publishedCalls(newest)

/** Calls of the first version and of the newest one, without repetitions, by their plugin. */
export const pluginOf: ReadonlyMap<string, string> = new Map(
  [...firstCalls, ...newestCalls].flatMap(([plugin, calls]) => calls.map((call): [string, string] => [call, plugin])),
)

/** Why a call is not served; undefined when no reason is written down. */
export const reasonOf = (call: string): string | undefined => callsLeftOut[call] ?? pluginsLeftOut[pluginOf.get(call) ?? '']

const named = (calls: readonly string[]) => calls.map((call) => `\`${call}\``).join(', ') || '–'

function versionRows(): string[] {
  const rows = wireHistory.map(({ version, release, added, removed }) => {
    const [here, missing] = [added.filter(isServed), added.filter((call) => !isServed(call))]
    return `| ${version} (${release}) | ${named(here)} | ${named(missing)} | ${named(removed.filter(isServed))} |`
  })
  const all = [...new Set([...firstCalls.values()].flat())]
  const first = `| ${firstVersion.version} (${firstVersion.release}) | the ${all.filter(isServed).length} calls of its features | ${named(all.filter((call) => !isServed(call)))} | |`
  return ['| version | adds | adds, not served | removed by it, still served |', '| --- | --- | --- | --- |', first, ...rows]
}

function leftOutRows(): string[] {
  const missing = [...pluginOf].filter(([call]) => !isServed(call))
  const ofPlugins = Object.entries(pluginsLeftOut).map(([plugin, reason]) => {
    const calls = missing.flatMap(([call, name]) => (name === plugin ? [call] : []))
    return `| plugin \`${plugin}\`: ${named(calls)} | ${reason} |`
  })
  const single = Object.entries(callsLeftOut).map(([call, reason]) => `| \`${call}\` | ${reason} |`)
  return ['| calls | why they respond with 404 |', '| --- | --- |', ...single, ...ofPlugins]
}

function viewRows(): string[] {
  const rows = [...visitorViews, ...userViews, ...organizationViews].map(
    ({ path, works }) => `| \`${path.replace(/\?.*/, '')}\` | ${works} |`,
  )
  return ['| view | what it does |', '| --- | --- |', ...rows]
}

const tables = {
  'component views': viewRows,
  'versions of the wire': versionRows,
  'calls left out': leftOutRows,
}

/** @throws Error for a page without the place of a table */
export function withWireTables(page: string): string {
  return Object.entries(tables).reduce((text, [name, rows]) => {
    const block = new RegExp(`<!-- ${name} -->\n[\\s\\S]*?<!-- end of ${name} -->`)
    if (!block.test(text)) throw new Error(`docs/compatibility.md needs <!-- ${name} --> and <!-- end of ${name} -->`)
    return text.replace(block, () => `<!-- ${name} -->\n${rows().join('\n')}\n<!-- end of ${name} -->`)
  }, page)
}
