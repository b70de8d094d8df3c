/**
 * What a configuration protects less than another one does, such as the defaults: `doctor` and the console list it. Every option is
 * either part of `weakenings` or in `harmless` with a reason; a test fails for a new option that is in none.
 */
import type { ConfigShape } from '../../core/config.ts'
import type { Config } from '../../features/index.ts'
import { isObject } from '../../lib/objects.ts'
import { accountWeakenings } from './account-weakenings.ts'
import type { Settings, Weakening } from './comparisons.ts'
import { networkWeakenings } from './network-weakenings.ts'
import { providerWeakenings } from './provider-weakenings.ts'
import { secondFactorWeakenings } from './second-factor-weakenings.ts'
import { configSettings, standardSettings } from './settings.ts'

export const weakenings: readonly Weakening[] = [
  ...networkWeakenings,
  ...accountWeakenings,
  ...secondFactorWeakenings,
  ...providerWeakenings,
]

/** A protection that is less. */
export interface WeakSetting {
  /** Of the row, such as `limits-off`. */
  readonly id: string
  readonly path: string
  /** A sentence about what follows. */
  readonly message: string
  readonly fix: string
}

/** @param from the settings to compare with, such as the defaults */
function compareSettings(from: Settings, to: Settings): WeakSetting[] {
  return weakenings.flatMap(({ id, paths, isWeaker, message, fix }) =>
    [...to].flatMap(([path, value]) =>
      paths.some((pattern) => matchesPath(pattern, path)) && isWeaker(from.get(path), value, to)
        ? [{ id, path, message, fix: fix ?? `Remove ${path}, or set it to its default.` }]
        : [],
    ),
  )
}

/** What a configuration protects less than the defaults. */
export const findWeakSettings = (shape: ConfigShape, config: Config): WeakSetting[] =>
  compareSettings(standardSettings(shape), configSettings(shape, isObject(config) ? config : {}))

/** @param pattern a path, in which `*` stands for one part, and for all parts at its end */
export function matchesPath(pattern: string, path: string): boolean {
  const [wanted, parts] = [pattern.split('.'), path.split('.')]
  if (wanted.length > parts.length || (wanted.length < parts.length && wanted.at(-1) !== '*')) return false
  return wanted.every((part, position) => part === '*' || part === parts[position])
}
