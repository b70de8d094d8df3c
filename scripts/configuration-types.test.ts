import { fileURLToPath } from 'node:url'
import { expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type ConfigFile, type ConfigInput, type DeclaredConfig, featureList } from '../src/features/index.ts'
import { configShape } from '../src/project/config/parse-config.ts'
import { documentedSchema } from '../src/project/config/schema.ts'
import { startEditor } from '../tests/kit/language-server.ts'
import { type Described, isEmpty } from './options.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const path = `${folder}src/typed.config.ts`
const heading = `import { defineConfig } from './index.ts'\nexport default defineConfig(`

test('the type of the file follows the declarations', () => {
  expectTypeOf<ConfigFile>().toExtend<ConfigInput<DeclaredConfig>>()
  expectTypeOf<ConfigInput<DeclaredConfig>>().toExtend<ConfigFile>()
})

interface Written {
  readonly option: string
  readonly offset: number
  readonly schema: Described
}

/** Writes a value with every option of a schema, and where each stands. */
function writeOptions(schema: Described & { readonly additionalProperties?: Described }, option: string, start: number) {
  const found: Written[] = []
  const properties = schema.properties ?? schema.anyOf?.find((each) => each.properties)?.properties
  const element = schema.items?.properties ? schema.items : undefined
  const value = schema.additionalProperties?.properties ? schema.additionalProperties : undefined
  let text = properties ? '{\n' : element ? '[' : value ? '{ any: ' : 'undefined as never'
  for (const [name, member] of Object.entries(properties ?? {})) {
    found.push({ option: `${option}.${name}`, offset: start + text.length + 1, schema: member })
    text += `'${name}': `
    const inner = writeOptions(member, `${option}.${name}`, start + text.length)
    found.push(...inner.found)
    text += `${inner.text},\n`
  }
  const nested = element ?? value
  if (nested) {
    const inner = writeOptions(nested, `${option}[]`, start + text.length)
    found.push(...inner.found)
    text += inner.text
  }
  return { found, text: `${text}${properties || value ? '}' : element ? ']' : ''}` }
}

test('an editor shows the description and the default of every option', async () => {
  const schema = z.toJSONSchema(documentedSchema(configShape(featureList)), { io: 'input', unrepresentable: 'any' }) as Described
  const { found, text } = writeOptions(schema, '', heading.length)
  const file = `${heading}${text})\n`
  const editor = await startEditor(folder)
  onTestFinished(editor.close)
  expect(await editor.open(path, file)).toEqual([])
  expect(found.length).toBeGreaterThan(800)
  const shown = await Promise.all(found.map(async (each) => ({ ...each, hover: await editor.hover(path, file, each.offset) })))
  const missing = shown.filter(({ schema: { description, default: standard }, hover }) => {
    const [, documentation = ''] = hover.split('\n```\n')
    const hasDefault = standard === undefined || isEmpty(standard) || documentation.includes('*@default*')
    return documentation.trim() === '' || !documentation.includes(description ?? '') || !hasDefault
  })
  expect(missing.map(({ option, hover }) => `${option}: ${hover}`)).toEqual([])
}, 120_000)

test('an editor completes options and reports misspelled ones', async () => {
  const editor = await startEditor(folder)
  onTestFinished(editor.close)
  const text = `${heading}{ emailAndPassword: { enable: true, min } })\n`
  const [error = ''] = await editor.open(path, text)
  expect(error).toContain(`Did you mean to write 'enabled'?`)
  expect(await editor.complete(path, text, text.indexOf('min') + 3)).toContain('minPasswordLength?')
})
