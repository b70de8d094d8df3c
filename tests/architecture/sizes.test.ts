/** Files of 250 lines and functions of 40 at most: what is longer is two things. */
import { expect, test } from 'vitest'
import { readSource, type SourceFile } from './source.ts'

const longestFile = 250
const longestFunction = 40

interface Size {
  readonly name: string
  readonly lines: number
}

const fileSizes = (files: readonly SourceFile[]): Size[] =>
  files.map(({ path, text }) => ({ name: path, lines: text.split('\n').length - 1 }))

/** Functions at the top of a module; the formatter puts their end at the beginning of a line. */
function functionSizes(files: readonly SourceFile[]): Size[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.split('\n')
    return lines.flatMap((line, start) => {
      const name = /^(?:export )?(?:async )?function (\w+)|^(?:export )?const (\w+) = .*=> \{$/.exec(line)
      if (!name || line.endsWith('}')) return []
      const end = lines.findIndex((other, position) => position > start && /^\}/.test(other))
      return [{ name: `${path} ${name[1] ?? name[2]}`, lines: end - start + 1 }]
    })
  })
}

const worst = (sizes: readonly Size[]) =>
  sizes
    .toSorted((one, other) => other.lines - one.lines)
    .slice(0, 5)
    .map(({ name, lines }) => `${String(lines).padStart(5)} ${name}`)
    .join('\n')

test('files and functions keep within their budgets', () => {
  const files = readSource()
  const [byFile, byFunction] = [fileSizes(files), functionSizes(files)]
  process.stdout.write(`longest files\n${worst(byFile)}\nlongest functions\n${worst(byFunction)}\n`)
  expect(byFile.filter(({ lines }) => lines > longestFile)).toEqual([])
  expect(byFunction.filter(({ lines }) => lines > longestFunction)).toEqual([])
})

test('a planted long function is found', () => {
  const text = `export async function long(): Promise<void> {\n${'  a()\n'.repeat(50)}}\n`
  expect(functionSizes([{ path: 'x.ts', text }])).toEqual([{ name: 'x.ts long', lines: 52 }])
})
