/** Generates src/config-file.ts: the type of `auth.config.ts`, with the description of each option for editors. */
import type { z } from 'zod'
import type { Section } from '../src/core/config.ts'
import { featureList } from '../src/features/index.ts'
import { configShape } from '../src/project/config/parse-config.ts'
import { describe, isEmpty, isSection, modes, type Option, rangeOf, sharedOptions } from './options.ts'

const heading = `/**
 * The configuration as \`auth.config.ts\` exports it. Generated from the schema that checks the file (\`npm run docs\`), because editors
 * show the comments of a declaration, and not the descriptions of a schema.
 */
import type { z } from 'zod'
import type { DeclaredConfig } from './features/index.ts'
`

/** @throws Error when an option has no description */
export const configurationTypes = (): string =>
  [heading, ...interfacesOf('ConfigFile', { mode: 'always', shape: configShape(featureList) }, 'DeclaredConfig')].join('\n')

type Group = Pick<Section, 'mode' | 'shape'> & { readonly base?: string }

/** @param at the type of the shape in the declarations */
function interfacesOf(name: string, { mode, shape, base }: Group, at: string): string[] {
  const prefix = name === 'ConfigFile' ? '' : name.replace(/Options$/, '')
  const nameOf = (option: string) => `${prefix}${pascalCase(option)}Options`
  const shared = sharedOptions(shape)
  const sharedName = nameOf('shared')
  const [sample] = Object.entries(shape).filter(([, option]) => isSection(option))
  const nested = Object.entries(shape).flatMap(([option, value]) => {
    if (!isSection(value)) return []
    const own = Object.entries(value.shape).filter(([key]) => !(key in shared))
    const more = Object.keys(shared).length > 0 ? { base: sharedName } : {}
    return interfacesOf(nameOf(option), { ...value, shape: Object.fromEntries(own), ...more }, shapeAt(at, option))
  })
  const common =
    Object.keys(shared).length === 0 || !sample
      ? []
      : interfacesOf(sharedName, { mode: 'always', shape: shared }, shapeAt(at, sample[0]))
  return [
    [
      `${name === 'ConfigFile' ? 'export ' : ''}interface ${name} ${base ? `extends ${base} ` : ''}{`,
      ...switchOf(mode),
      ...Object.entries(shape).flatMap(([option, value]) =>
        memberOf(option, value, { at, name: nameOf(option), path: `${at} ${option}` }),
      ),
      '}\n',
    ].join('\n'),
    ...common,
    ...nested,
  ]
}

const switchOf = (mode: Section['mode']): string[] => {
  if (mode === 'always') return []
  const text = mode === 'flag' ? 'Enable this section' : 'Disable this section with `false`, and keep its options'
  return [...comment(text, [mode === 'presence']), '  enabled?: boolean']
}

function memberOf(
  key: string,
  option: Option,
  { at, name, path }: { readonly at: string; readonly name: string; readonly path: string },
): string[] {
  if (isSection(option)) {
    const type = option.mode === 'presence' ? `boolean | ${name}` : name
    return [...comment(`${option.description}.${modes[option.mode]}`), `  ${quoted(key)}?: ${type} | undefined`]
  }
  return [...commentOf(option, path), `  ${quoted(key)}?: ${typeOf(option, `z.input<${at}[${literal(key)}]>`)} | undefined`]
}

function commentOf(option: z.ZodType, path: string): string[] {
  const { description, default: standard } = describe(option)
  if (!description) throw new Error(`The option ${path} has no description`)
  const range = rangeOf(option)
  return comment(`${description}${range && `. ${range}`}`, standard === undefined || isEmpty(standard) ? [] : [standard])
}

const comment = (text: string, standard: readonly unknown[] = []): string[] => {
  const safe = text.replaceAll('*/', '*\\/')
  const [value] = standard
  return standard.length === 0 ? [`  /** ${safe} */`] : ['  /**', `   * ${safe}`, `   * @default ${literal(value)}`, '   */']
}

/**
 * The type that a schema accepts.
 * @param at the same type in terms of the declarations, for functions, whose types only the compiler knows
 */
function typeOf(schema: z.core.$ZodType, at: string): string {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'prefault':
    case 'readonly':
      return typeOf(def.innerType, at)
    case 'nullable':
      return `${typeOf(def.innerType, at)} | null`
    case 'string':
    case 'number':
    case 'boolean':
    case 'unknown':
      return def.type
    case 'date':
      return 'Date'
    case 'enum':
      return Object.values(def.entries).map(literal).join(' | ')
    case 'literal':
      return def.values.map(literal).join(' | ')
    case 'union':
      return def.options
        .map((option) => typeOf(option, isFunction(option) ? `Extract<${at}, (...given: never) => unknown>` : at))
        .join(' | ')
    case 'array':
      return `Array<${typeOf(def.element, `NonNullable<${at}>[number]`)}${isOptional(def.element) ? ' | undefined' : ''}>`
    case 'record':
      return `Record<string, ${typeOf(def.valueType, `NonNullable<${at}>[string]`)}>`
    case 'object':
      return `{\n${Object.entries(def.shape)
        .flatMap(([key, member]) => objectMember(key, member, at))
        .join('\n')
        .replaceAll(/^/gm, '  ')}\n  }`
    case 'pipe':
      return isTransform(def.in) ? at : typeOf(def.in, at)
    case 'custom':
      return at
    default:
      throw new Error(`A schema of the type ${def.type} has no printed form`)
  }
}

const isOptional = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.optin !== undefined
const isFunction = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def.type === 'custom'
const isTransform = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def.type === 'transform'

function objectMember(key: string, member: z.core.$ZodType, at: string): string[] {
  const within = `NonNullable<${at}>[${literal(key)}]`
  const type = typeOf(member, within)
  return [
    ...commentOf(member as z.ZodType, within),
    `  ${quoted(key)}${isOptional(member) ? '?' : ''}: ${type}${isOptional(member) ? ' | undefined' : ''}`,
  ]
}

const shapeAt = (at: string, option: string) => `${at}[${literal(option)}]['shape']`
const pascalCase = (name: string) =>
  name.replaceAll(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase())
const quoted = (name: string) => (/^[a-zA-Z_]\w*$/.test(name) ? name : literal(name))
const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value)
