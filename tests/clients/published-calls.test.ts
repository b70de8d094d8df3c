/** Each call of the newest published server is served, or there is a reason why not: a new version's new call fails here. */
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { callsLeftOut, pluginsLeftOut, wireHistory } from '../../scripts/wire-history.ts'
import { firstCalls, isServed, newestCalls, pluginOf, reasonOf } from '../../scripts/wire-table.ts'

const unique = (calls: ReadonlyMap<string, readonly string[]>) => new Set([...calls.values()].flat())

test('each call of 1.2 and of the newest version is served, or listed with the reason', () => {
  const undecided = [...pluginOf.keys()].filter((call) => !isServed(call) && reasonOf(call) === undefined)
  expect(undecided).toEqual([])
})

test('no reason is left for a call that is served or that does not exist', () => {
  expect(Object.keys(callsLeftOut).filter((call) => isServed(call) || !pluginOf.has(call))).toEqual([])
  const missing = new Set([...pluginOf].flatMap(([call, plugin]) => (isServed(call) ? [] : [plugin])))
  expect(Object.keys(pluginsLeftOut).filter((plugin) => !missing.has(plugin))).toEqual([])
})

test('the history of versions leads from the calls of 1.2 to those of the newest version', () => {
  const calls = unique(firstCalls)
  for (const { version, added, removed } of wireHistory) {
    expect([version, added.filter((call) => calls.has(call)), removed.filter((call) => !calls.has(call))]).toEqual([
      version,
      [],
      [],
    ])
    for (const call of added) calls.add(call)
    for (const call of removed) calls.delete(call)
  }
  expect([...calls].sort()).toEqual([...unique(newestCalls)].sort())
  expect(manifest.devDependencies['better-auth-newest']).toBe(`npm:better-auth@${wireHistory.at(-1)?.release}`)
})
