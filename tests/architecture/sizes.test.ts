/**
 * Files have at most 250 lines, but for the generated one, and no folder consists of tiny files. Functions have at most 40 lines, those of the
 * dashboard 60: markup is longer than logic.
 */
import { dirname } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { readDashboard, readSource, type SourceFile } from './source.ts'

const longestFile = 250
const longestFunction = 40
const longestComponent = 60
/** A folder of more than two files should have that many lines a file on average; under it, files want to be merged. */
const tinyFileLines = 50

interface Size {
  readonly name: string
  readonly lines: number
}

const linesOf = (text: string): number => text.split('\n').length - 1

const fileSizes = (files: readonly SourceFile[]): Size[] => files.map(({ path, text }) => ({ name: path, lines: linesOf(text) }))

/** Every function with a body of its own, nested ones and methods too. */
function functionSizes(files: readonly SourceFile[]): Size[] {
  return files.flatMap(({ path, text }) => {
    const found: Size[] = []
    const note = ({ start, end }: { readonly start: number; readonly end: number }) => {
      const line = linesOf(`${text.slice(0, start)}\n`)
      found.push({ name: `${path}:${line}`, lines: text.slice(start, end).split('\n').length })
    }
    new Visitor({ FunctionDeclaration: note, FunctionExpression: note, ArrowFunctionExpression: note }).visit(
      parseSync(path, text).program,
    )
    return found
  })
}

/** A provider is one file, however little there is to say of it, and so are the texts of a language. */
function tinyFileFolders(files: readonly SourceFile[]): string[] {
  const folders = Map.groupBy(files, ({ path }) => dirname(path))
  return [...folders]
    .filter(([folder]) => !/\/(providers|texts)$/.test(folder))
    .flatMap(([folder, inside]) => {
      const lines = inside.reduce((sum, { text }) => sum + linesOf(text), 0)
      return inside.length > 2 && lines / inside.length < tinyFileLines
        ? [`${folder}: ${lines} lines in ${inside.length} files`]
        : []
    })
}

const worst = (sizes: readonly Size[]) =>
  sizes
    .toSorted((one, other) => other.lines - one.lines)
    .slice(0, 5)
    .map(({ name, lines }) => `${String(lines).padStart(5)} ${name}`)
    .join('\n')

test('files and functions keep within their budgets', () => {
  const files = readSource().filter(({ path }) => path !== 'src/config-file.ts')
  const [byFile, byFunction] = [fileSizes(files), functionSizes(files)]
  process.stdout.write(`longest files\n${worst(byFile)}\nlongest functions\n${worst(byFunction)}\n`)
  expect(byFile.filter(({ lines }) => lines > longestFile)).toEqual([])
  expect(byFunction.filter(({ lines }) => lines > longestFunction)).toEqual([])
})

test('functions of the dashboard keep within theirs', () => {
  const sizes = functionSizes(readDashboard())
  process.stdout.write(`longest functions of the dashboard\n${worst(sizes)}\n`)
  expect(sizes.filter(({ lines }) => lines > longestComponent)).toEqual([])
})

test('folders do not consist of tiny files', () => {
  expect(tinyFileFolders(readSource())).toEqual([])
})

test('a planted long function is found, also behind a line that begins with a brace', () => {
  const text = `const f = () => {\n  const t = \`\n}\`\n${'  a(t)\n'.repeat(50)}}\n`
  expect(functionSizes([{ path: 'x.ts', text }])).toEqual([{ name: 'x.ts:1', lines: 54 }])
})

test('a planted folder of tiny files is found', () => {
  const file = (name: string) => ({ path: `src/x/${name}.ts`, text: 'a()\n'.repeat(20) })
  expect(tinyFileFolders(['a', 'b', 'c'].map(file))).toEqual(['src/x: 60 lines in 3 files'])
  expect(tinyFileFolders(['a', 'b'].map(file))).toEqual([])
})
