/** Time, randomness, network and environment come in as parameters; only the outermost modules use the real ones. */
import { expect, test } from 'vitest'
import { readSource, type SourceFile, withoutProse } from './source.ts'

const forbidden: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Date.now', /\bDate\.now\(/],
  ['new Date()', /\bnew Date\(\)/],
  ['Math.random', /\bMath\.random\(/],
  ['global fetch', /(?<![.\w])fetch\(/],
  ['process.env', /\bprocess\.env\b/],
  ['console', /\bconsole\.\w+\(/],
]
/** Of the entries for apps, the files with the defaults of their options. */
const defaults = [/^src\/server\/options\.ts$/, /^src\/testing\/clock\.ts$/]
/** Functions for the configuration, which pass the real ones in. */
const ready = [/^src\/digit-ids\.ts$/]
/** It writes text of a configuration, which reads variables. */
const writers = [/^src\/features\/move\/better-auth\/derived\.ts$/]
const edges = [
  /^src\/adapters\//,
  /^src\/daemon\//,
  /^src\/cli\//,
  /^src\/project\//,
  /^src\/app\.ts$/,
  ...defaults,
  ...ready,
  ...writers,
]

function violations(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !edges.some((edge) => edge.test(path)))
    .flatMap(({ path, text }) => {
      const code = withoutProse(text)
      return forbidden.filter(([, pattern]) => pattern.test(code)).map(([name]) => `${path} uses ${name}`)
    })
}

test('only outer modules use the clock, randomness, network and environment', () => {
  expect(violations(readSource())).toEqual([])
})

test.each(forbidden.map(([name]) => name))('a planted %s is found', (name) => {
  const planted: Record<string, string> = {
    'Date.now': 'const a = Date.now()',
    'new Date()': 'const a = new Date()',
    'Math.random': 'const a = Math.random()',
    'global fetch': "await fetch('http://a')",
    'process.env': 'const a = process.env.HOME',
    console: "console.log('a')",
  }
  expect(violations([{ path: 'src/core/x.ts', text: planted[name] ?? '' }])).toEqual([`src/core/x.ts uses ${name}`])
})
