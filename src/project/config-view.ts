/** The configuration for display: secrets are redacted, functions are named. */
import { z } from 'zod'
import type { ConfigShape } from '../core/config.ts'
import type { ShownOption } from '../core/installation.ts'
import { isObject } from '../lib/objects.ts'
import { maskSecrets } from '../lib/redact.ts'
import { valueAt } from './environment.ts'
import type { LoadedConfig } from './load-config.ts'

export interface OptionValue {
  /** As in `server.port`. */
  readonly path: string
  readonly value: unknown
  readonly default: unknown
  readonly description: string | null
  /** Of `enabled` in an optional section: the path of the section. */
  readonly section?: string
}

/** Every option in the order of the shape. Of a disabled section only its `enabled`. */
export function listOptions(shape: ConfigShape, config: object, prefix = ''): OptionValue[] {
  return Object.entries(shape).flatMap(([name, option]): OptionValue[] => {
    const path = prefix + name
    const value: unknown = Reflect.get(config, name)
    if (!('kind' in option)) {
      const standard = redactedValue(option, defaultOf(option))
      return [{ path, value: redactedValue(option, value), default: standard, description: option.description ?? null }]
    }
    if (!isObject(value)) return []
    if (option.mode === 'always') return listOptions(option.shape, value, `${path}.`)
    const enabled = {
      path: `${path}.enabled`,
      value: Reflect.get(value, 'enabled'),
      default: false,
      description: option.description,
      section: path,
    }
    return enabled.value === true ? [enabled, ...listOptions(option.shape, value, `${path}.`)] : [enabled]
  })
}

/** Every option with its origin. */
export const showOptions = (shape: ConfigShape, loaded: LoadedConfig): ShownOption[] =>
  listOptions(shape, loaded.config).map((option) => {
    const { path, value, default: standard, description } = option
    return { path, value, origin: originOf(option, loaded), default: standard, description }
  })

/** `file`, `environment DATABASE_URL`, `default`, `--port`. */
export function originOf({ path, section }: OptionValue, { written, origins }: LoadedConfig): string {
  const isWritten = valueAt(written, section ?? path) !== undefined
  if (section === undefined) return origins.get(path) ?? (isWritten ? 'file' : 'default')
  if (isWritten) return 'file'
  // Filling one of its options enables a section that the file does not mention.
  return [...origins].find(([filled]) => filled.startsWith(`${section}.`))?.[1] ?? 'default'
}

function redactedValue(schema: z.ZodType, value: unknown): unknown {
  if (value === undefined || value === null) return null
  const { inner, isSecret } = unwrap(schema)
  if (isSecret) return Array.isArray(value) ? value.map(() => '[redacted]') : '[redacted]'
  if (inner instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => redactedMember(inner.element, item))
  if (!(inner instanceof z.ZodObject) || !isObject(value)) return withoutPasswords(value)
  const shape: Readonly<Record<string, unknown>> = inner.shape
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactedMember(shape[name], member)]))
}

/** The value of an option that is not set; undefined for none. */
function defaultOf(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodDefault) return schema.def.defaultValue
  const next: unknown = isWrapper(schema) ? schema.unwrap() : schema instanceof z.ZodPipe ? schema.in : null
  return next instanceof z.ZodType ? defaultOf(next) : undefined
}

const redactedMember = (schema: unknown, value: unknown): unknown =>
  schema instanceof z.ZodType ? redactedValue(schema, value) : withoutPasswords(value)

/** Looks inside optional schemas too, because any of them may have the mark. */
function unwrap(schema: z.ZodType): { readonly inner: z.ZodType; readonly isSecret: boolean } {
  const isMarked = schema.meta()?.secret === true
  const next: unknown = isWrapper(schema) ? schema.unwrap() : schema instanceof z.ZodPipe ? schema.in : null
  if (!(next instanceof z.ZodType)) return { inner: schema, isSecret: isMarked }
  const { inner, isSecret } = unwrap(next)
  return { inner, isSecret: isMarked || isSecret }
}

const isWrapper = (schema: z.ZodType) =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable

/** Any text may be an address with a password. */
function withoutPasswords(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value)
  if (typeof value === 'function') return '[function]'
  if (Array.isArray(value)) return value.map(withoutPasswords)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutPasswords(member)]))
}
