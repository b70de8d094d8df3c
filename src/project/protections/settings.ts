/** All options of a configuration as a flat list: the form in which two of them are compared. */
import { z } from 'zod'
import type { ConfigShape } from '../../core/config.ts'
import { isObject } from '../../lib/objects.ts'
import type { Settings } from './comparisons.ts'

/** The default of every option, also in sections that are disabled by default. */
export const standardSettings = (shape: ConfigShape): Settings => new Map(standards(shape, ''))

function standards(shape: ConfigShape, prefix: string): [string, unknown][] {
  return Object.entries(shape).flatMap(([name, option]): [string, unknown][] => {
    const path = prefix + name
    if (!('kind' in option)) return [[path, standardOf(option)]]
    const enabled: [string, unknown][] = option.mode === 'always' ? [] : [[`${path}.enabled`, false]]
    return [...enabled, ...standards(option.shape, `${path}.`)]
  })
}

function standardOf(option: unknown): unknown {
  const parsed = option instanceof z.ZodType ? option.safeParse(undefined) : null
  return parsed?.success ? parsed.data : undefined
}

/** The value of every option. Of a disabled section only `enabled`: what is in it has no effect. */
export const configSettings = (shape: ConfigShape, config: object): Settings => new Map(values(shape, config, ''))

function values(shape: ConfigShape, config: object, prefix: string): [string, unknown][] {
  return Object.entries(shape).flatMap(([name, option]): [string, unknown][] => {
    const [path, value] = [prefix + name, Reflect.get(config, name) as unknown]
    if (!('kind' in option)) return [[path, value]]
    if (!isObject(value)) return []
    if (option.mode === 'always') return values(option.shape, value, `${path}.`)
    const isEnabled = Reflect.get(value, 'enabled') === true
    return [[`${path}.enabled`, isEnabled], ...(isEnabled ? values(option.shape, value, `${path}.`) : [])]
  })
}
