/** The source files that the architecture tests check: path and text. */
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface SourceFile {
  /** From the root of the repository, with `/`. */
  readonly path: string
  readonly text: string
}

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Product files below `src`, without tests. */
export function readSource(): SourceFile[] {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(root, file).replaceAll('\\', '/'), text: readFileSync(file, 'utf8') }))
}

/** The files of the dashboard. */
export const readDashboard = (): SourceFile[] =>
  globSync('dashboard/src/**/*.{ts,tsx}', { cwd: root }).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** The code without comments and the contents of texts, so that words in them count for nothing. */
export const withoutProse = (text: string): string =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(^|[^:'"`\\])\/\/[^\n]*/g, '$1')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''")
