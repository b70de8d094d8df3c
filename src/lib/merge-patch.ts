/** JSON Merge Patch (RFC 7396): the difference between two JSON objects, as an object. */
import { isDeepStrictEqual } from 'node:util'
import { isRecord } from './objects.ts'

export type JSONObject = Readonly<Record<string, unknown>>

/**
 * @param to without a member that is null: in a patch, null removes a member
 * @returns the patch that leads from the one object to the other
 */
export function createMergePatch(from: JSONObject, to: JSONObject): JSONObject {
  const removed = Object.keys(from).filter((name) => !Object.hasOwn(to, name))
  const changed = Object.entries(to).flatMap(([name, value]): [string, unknown][] => {
    const before = Object.hasOwn(from, name) ? from[name] : undefined
    if (isDeepStrictEqual(before, value)) return []
    return [[name, isRecord(before) && isRecord(value) ? createMergePatch(before, value) : value]]
  })
  return Object.fromEntries([...removed.map((name) => [name, null]), ...changed])
}

/** @returns a new object */
export function applyMergePatch(target: JSONObject, patch: JSONObject): JSONObject {
  const kept = Object.entries(target).filter(([name]) => !Object.hasOwn(patch, name))
  const changed = Object.entries(patch).flatMap(([name, value]): [string, unknown][] => {
    if (value === null) return []
    if (!isRecord(value)) return [[name, value]]
    const before = Object.hasOwn(target, name) ? target[name] : undefined
    return [[name, applyMergePatch(isRecord(before) ? before : {}, value)]]
  })
  return Object.fromEntries([...kept, ...changed])
}
