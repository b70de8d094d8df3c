/**
 * Values in place of those that a fresh clone or a build does not have, such as secrets and URLs: for commands that use only the other
 * options. Everything else in the configuration is still checked.
 */
import type { ConfigIssue } from '../core/config.ts'
import { isObject } from '../lib/objects.ts'

/** Origin of an option with such a value. */
export const standInOrigin = 'not set'

/** Long enough for a secret, a URL, and different for each option: fits every option that has a text. */
const textFor = (path: string): string => `https://not-set.invalid/in-place-of-a-value/${path}`

/** Options that the environment sets, by the issue that reports that they are missing. */
const standIns: Readonly<Record<string, readonly [path: string, value: string]>> = {
  'secret-missing': ['secret', textFor('secret')],
  'base-url-missing': ['baseURL', 'https://not-set.invalid'],
  'database-missing': ['database.url', 'mysql://not-set@not-set.invalid/not-set'],
  'mail-transport-missing': ['mail.smtp', 'smtps://not-set.invalid'],
  'redis-place': ['redis.url', 'rediss://not-set.invalid'],
  'rate-limit-storage': ['redis.url', 'rediss://not-set.invalid'],
}

/**
 * @param issues of the input
 * @param except paths of options that get no such value
 * @returns the values, by path
 */
export function findStandIns(input: object, issues: readonly ConfigIssue[], except: readonly string[]): Map<string, string> {
  const found = issues.flatMap(({ id, path }): (readonly [string, string])[] => {
    const known = standIns[id]
    if (known) return [known]
    return readsUnset(input, path.split('.')) ? [[path, textFor(path)]] : []
  })
  return new Map(found.filter(([path]) => !except.includes(path)))
}

/** Whether the option is written with a variable that has no value, as in `clientId: process.env.CLIENT_ID`. An absent option is an error. */
function readsUnset(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return value === undefined || value === ''
  return isObject(value) && Object.hasOwn(value, name) && readsUnset(value[name], rest)
}
