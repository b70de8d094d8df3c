/** The configuration as it may be shown: without secrets, functions by name. */
import { z } from 'zod'
import type { ConfigShape } from '../core/config.ts'
import { maskSecrets } from '../lib/mask-secrets.ts'

export interface ShownOption {
  /** As in `server.port`. */
  readonly path: string
  readonly value: unknown
}

/** Every option in the order of the shape, the switches of sections included; nothing below a section that is off. */
export function showConfig(shape: ConfigShape, config: object, prefix = ''): ShownOption[] {
  return Object.entries(shape).flatMap(([name, option]): ShownOption[] => {
    const path = prefix + name
    const value: unknown = Reflect.get(config, name)
    if (!('kind' in option)) return [{ path, value: shownValue(option, value) }]
    if (typeof value !== 'object' || value === null) return []
    if (option.mode === 'always') return showConfig(option.shape, value, `${path}.`)
    const enabled = { path: `${path}.enabled`, value: Reflect.get(value, 'enabled') }
    return enabled.value === true ? [enabled, ...showConfig(option.shape, value, `${path}.`)] : [enabled]
  })
}

function shownValue(schema: z.ZodType, value: unknown): unknown {
  if (value === undefined || value === null) return null
  if (isSecret(schema)) return Array.isArray(value) ? value.map(() => '[redacted]') : '[redacted]'
  return withoutPasswords(value)
}

/** Marked itself, or inside what makes it optional. */
function isSecret(schema: z.ZodType): boolean {
  if (schema.meta()?.secret === true) return true
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
  const inner: unknown = isWrapper ? schema.unwrap() : null
  return inner instanceof z.ZodType && isSecret(inner)
}

/** Addresses may carry a password wherever they stand. */
function withoutPasswords(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value)
  if (typeof value === 'function') return '[function]'
  if (Array.isArray(value)) return value.map(withoutPasswords)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutPasswords(member)]))
}
