/** The options as a page, made from the schema that checks them. */
import { z } from 'zod'
import type { ConfigShape, Section } from '../src/core/config.ts'
import { configShape } from '../src/core/parse-config.ts'
import { featureList } from '../src/features/index.ts'

const heading = `# Configuration reference

Every option of \`auth.config.ts\`, with its type, default and meaning. This page is made from the schema that checks the
file (\`npm run docs\`); how the file is found and completed from the environment is in [configuration.md](configuration.md).

A section marked "off unless present" is switched on by \`true\` or by an object with options.
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

/** Options of sections inside sections stand in the same table, by their whole path. */
const entries = (shape: ConfigShape): [string, Option][] =>
  Object.entries(shape).flatMap(([name, option]): [string, Option][] =>
    isSection(option)
      ? [[name, option], ...entries(option.shape).map(([inner, value]): [string, Option] => [`${name}.${inner}`, value])]
      : [[name, option]],
  )

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

function bounds({ minimum, maximum }: Described): string {
  const low = minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? '' : String(minimum)
  const high = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : String(maximum)
  return low || high ? ` ${low || '…'} to ${high || '…'}` : ''
}

const inCell = (text: string) => text.replaceAll('|', '\\|')
