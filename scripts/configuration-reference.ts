/** Generates docs/configuration-reference.md from the schema that checks the configuration. */
import type { ConfigShape } from '../src/core/config.ts'
import { featureList } from '../src/features/index.ts'
import { configShape } from '../src/project/config/parse-config.ts'
import { bounds, type Described, describe, isEmpty, isSection, modes, type Option, sharedOptions } from './options.ts'

const heading = `# Configuration reference

Every option of \`auth.config.ts\`, with its type, default and meaning. This page is generated from the schema that checks the
file (\`npm run docs\`). [configuration.md](configuration.md) describes where the file is found and which environment variables
set options. A path with \`*\` is an option of each section at its place, and one with \`[]\` an option of each member of a list.

A section marked "Off unless present" is enabled by \`true\` or by an object with options. A section marked
"Off unless \`enabled: true\`" is enabled only by its option \`enabled\`. An empty default means that the option is not set.
`

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

/** Options of nested sections are in the same table, by their whole path. */
function entries(shape: ConfigShape): [string, Option][] {
  const shared = sharedOptions(shape)
  return [
    // What all sections of a group have in common, such as all providers, is listed once.
    ...Object.entries(shared).map(([name, option]): [string, Option] => [`*.${name}`, option]),
    ...Object.entries(shape).flatMap(([name, option]): [string, Option][] => {
      if (!isSection(option)) return [[name, option]]
      const own = Object.entries(option.shape).filter(([inner]) => !(inner in shared))
      return [
        [name, option],
        ...entries(Object.fromEntries(own)).map(([inner, value]): [string, Option] => [`${name}.${inner}`, value]),
      ]
    }),
  ]
}

const table = (options: readonly (readonly [string, Option])[], prefix: string) =>
  [
    '| option | type | default | meaning |',
    '| --- | --- | --- | --- |',
    ...options.flatMap(([name, option]) => [
      `| \`${prefix}${name}\` | ${cells(option).join(' | ')} |`,
      ...members(option).map(([member, schema]) => `| \`${prefix}${name}[].${member}\` | ${cellsOf(schema).join(' | ')} |`),
    ]),
    '',
  ].join('\n')

function cells(option: Option): [type: string, standard: string, meaning: string] {
  if (isSection(option))
    return [
      option.mode === 'always' ? 'options' : 'boolean or options',
      '',
      inCell(`${option.description}.${modes[option.mode]}`),
    ]
  return cellsOf(describe(option))
}

/** The members of the objects in a list of options. */
const members = (option: Option): [string, Described][] =>
  isSection(option) ? [] : Object.entries(describe(option).items?.properties ?? {})

function cellsOf(schema: Described): [type: string, standard: string, meaning: string] {
  const standard = schema.default === undefined || isEmpty(schema.default) ? '' : `\`${JSON.stringify(schema.default)}\``
  return [inCell(typeOf(schema)), standard, inCell(`${schema.description ?? ''}`)]
}

function typeOf(schema: Described): string {
  if (schema.function) return 'function'
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'values'}`
  if (schema.type === 'integer') return `integer ${bounds(schema)}`.trim()
  return [schema.type ?? 'value'].flat().join(' or ')
}

const inCell = (text: string) => text.replaceAll('|', '\\|')
