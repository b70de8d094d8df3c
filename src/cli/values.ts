/** Values of options that several commands have. */
import { isRecord } from '../lib/objects.ts'
import { usageError } from '../project/failure.ts'
import type { Zod } from './command.ts'

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
/** A century. */
const maxDuration = 3_155_760_000

/** Seconds of a text such as `7d`; optional. */
export function duration(z: Zod) {
  const expected = 'expected a duration such as 12h, 7d or 4w'
  return z
    .string()
    .regex(/^\d{1,10}[smhdw]$/, expected)
    .transform((text) => Number.parseInt(text, 10) * (unitSeconds[text.slice(-1)] ?? Number.NaN))
    .refine((seconds) => seconds > 0 && seconds <= maxDuration, expected)
    .optional()
}

/** @param flag for the message @throws Failure USAGE */
export function readObject(flag: string, given: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (given === undefined) return undefined
  try {
    const value: unknown = JSON.parse(given)
    if (isRecord(value)) return value
  } catch {
    // The message is the same.
  }
  throw usageError(`${flag}: expected a JSON object`)
}

/** Actions by resource, from `--permissions`. @throws Failure USAGE */
export function readPermissions(given: string | undefined): Readonly<Record<string, string[]>> | undefined {
  const value = readObject('--permissions', given)
  if (!value) return undefined
  const isActions = (actions: unknown): actions is string[] =>
    Array.isArray(actions) && actions.every((action) => typeof action === 'string')
  const entries = Object.entries(value).map(([resource, actions]): [string, string[]] => {
    if (!isActions(actions)) throw usageError(`--permissions: expected a list of actions for "${resource}"`)
    return [resource, actions]
  })
  return Object.fromEntries(entries)
}
