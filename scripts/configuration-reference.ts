/** Generates docs/configuration-reference.md from the schema that checks the configuration. */
import { z } from 'zod'
import type { ConfigShape, Section } from '../src/core/config.ts'
import { configShape } from '../src/core/parse-config.ts'
import { featureList } from '../src/features/index.ts'

const heading = `# Configuration reference

Every option of \`auth.config.ts\`, with its type, default and meaning. This page is generated from the schema that checks the
file (\`npm run docs\`). [configuration.md](configuration.md) describes where the file is found and which environment variables
set options.

A section marked "Off unless present" is enabled by \`true\` or by an object with options. A section marked
"Off unless \`enabled: true\`" is enabled only by its option \`enabled\`. An empty default means that the option is not set.
\`<name>\` stands for any name in the same section, and \`[]\` for an element of a list.
`

type Option = z.ZodType | Section
const isSection = (option: Option): option is Section => 'kind' in option && option.kind === 'section'

const modes = { always: '', presence: ' Off unless present.', flag: ' Off unless `enabled: true`.' }

export function configurationReference(): string {
  const shape = configShape(featureList)
  const plain = Object.entries(shape).filter(([, option]) => !isSection(option))
  const sections = Object.entries(shape).flatMap(([name, option]) => (isSection(option) ? [[name, option] as const] : []))
  return [
    heading,
    '## Top level\n',
    table(plain, ''),
    ...sections.flatMap(([name, section]) => [
      `## ${name}\n`,
      `${section.description}.${modes[section.mode]}\n`,
      table(entries(section.shape), `${name}.`),
    ]),
  ].join('\n')
}

/** Options of nested sections and of objects in lists are in the same table, by their whole path. */
function entries(shape: ConfigShape): [string, Option][] {
  const shared = sharedOptions(shape)
  const own = Object.entries(shape).flatMap(([name, option]): [string, Option][] => {
    if (!isSection(option)) return [[name, option], ...elementEntries(name, option)]
    const members = Object.entries(option.shape).filter(([inner, value]) => shared[inner] !== value)
    return [[name, option], ...under(name, entries(Object.fromEntries(members)))]
  })
  return [...Object.entries(shared).map(([name, option]): [string, Option] => [`<name>.${name}`, option]), ...own]
}

const under = (name: string, inner: readonly [string, Option][]): [string, Option][] =>
  inner.map(([path, value]) => [`${name}.${path}`, value])

/** Options that all optional sections of a group have, such as those of every provider: they are listed once. */
function sharedOptions(shape: ConfigShape): ConfigShape {
  const sections = Object.values(shape).filter((option) => isSection(option) && option.mode === 'presence') as Section[]
  const [first] = sections
  if (!first || sections.length < Math.max(2, Object.keys(shape).length)) return {}
  const isShared = ([name]: [string, Option]) => sections.every((section) => name in section.shape)
  return Object.fromEntries(Object.entries(first.shape).filter(isShared))
}

function elementEntries(name: string, option: z.ZodType): [string, Option][] {
  const list = option instanceof z.ZodDefault ? option.unwrap() : option
  if (!(list instanceof z.ZodArray) || !(list.element instanceof z.ZodObject)) return []
  const members: ConfigShape = list.element.shape
  return under(`${name}[]`, entries(members))
}

const table = (options: readonly (readonly [string, Option])[], prefix: string) =>
  [
    '| option | type | default | meaning |',
    '| --- | --- | --- | --- |',
    ...options.map(([name, option]) => `| \`${prefix}${name}\` | ${cells(option).join(' | ')} |`),
    '',
  ].join('\n')

function cells(option: Option): [type: string, standard: string, meaning: string] {
  if (isSection(option))
    return [
      option.mode === 'always' ? 'options' : 'boolean or options',
      '',
      inCell(`${option.description}.${modes[option.mode]}`),
    ]
  const schema = z.toJSONSchema(option, { io: 'input', unrepresentable: 'any' }) as Described
  const standard = schema.default === undefined || isEmpty(schema.default) ? '' : `\`${JSON.stringify(schema.default)}\``
  return [inCell(typeOf(schema)), standard, inCell(`${schema.description ?? ''}`)]
}

interface Described {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Described[]
  readonly items?: Described
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly default?: unknown
  readonly description?: string
  readonly function?: boolean
}

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0

function typeOf(schema: Described): string {
  if (schema.function) return 'function'
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'values'}`
  if (schema.type === 'integer') return `integer${bounds(schema)}`
  return [schema.type ?? 'value'].flat().join(' or ')
}

function bounds({ minimum, maximum, exclusiveMinimum }: Described): string {
  const least = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1
  const low = least === undefined || least === Number.MIN_SAFE_INTEGER ? '' : String(least)
  const high = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : String(maximum)
  if (low && high) return ` ${low} to ${high}`
  return low ? ` from ${low}` : high && ` up to ${high}`
}

const inCell = (text: string) => text.replaceAll('|', '\\|')
