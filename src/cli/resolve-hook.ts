/** How the imports of a configuration are found: more generously than Node does, since the file is written for an editor too. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

// In the published package the same file is JavaScript.
const entry = new URL(import.meta.url.endsWith('.ts') ? '../index.ts' : '../index.js', import.meta.url).href
let isRegistered = false

/**
 * From now on `latchkey/config` is this program's, wherever the configuration lies: in a folder without `node_modules`,
 * under npx, in a container. Paths of a `tsconfig.json` and imports without an extension are understood too.
 */
export function registerResolveHook(): void {
  if (isRegistered) return
  isRegistered = true
  registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === 'latchkey/config') return { url: entry, shortCircuit: true }
      try {
        return next(specifier, context)
      } catch (error) {
        const found = findOtherwise(specifier, context.parentURL)
        if (found === null) throw error
        return next(pathToFileURL(found).href, context)
      }
    },
  })
}

function findOtherwise(specifier: string, parent: string | undefined): string | null {
  if (!parent?.startsWith('file:') || parent.includes('/node_modules/')) return null
  const folder = dirname(fileURLToPath(parent))
  const bases = /^\.\.?\//.test(specifier) ? [resolve(folder, specifier)] : mappedPaths(specifier, folder)
  return bases.flatMap(spellings).find((path) => statSync(path, { throwIfNoEntry: false })?.isFile()) ?? null
}

/** What TypeScript lets one leave out, or write as `.js`. */
const spellings = (base: string): string[] => [
  base,
  ...['.ts', '.mts', '.js', '.mjs', '.json'].map((extension) => base + extension),
  ...(/\.m?js$/.test(base) ? [base.replace(/js$/, 'ts')] : []),
  ...['index.ts', 'index.js'].map((name) => join(base, name)),
]

interface TypeScriptConfig {
  readonly compilerOptions?: { readonly baseUrl?: string; readonly paths?: Readonly<Record<string, readonly string[]>> }
}

/** `paths` of the nearest tsconfig.json (https://www.typescriptlang.org/tsconfig/#paths); one that it extends is not read. */
function mappedPaths(specifier: string, from: string): string[] {
  const file = findUpwards(from, 'tsconfig.json')
  if (file === null) return []
  const { baseUrl = '.', paths = {} } = readTypeScriptConfig(file).compilerOptions ?? {}
  return Object.entries(paths).flatMap(([pattern, targets]) => {
    const [before = '', after] = pattern.split('*')
    if (after === undefined) return pattern === specifier ? targets.map((target) => resolve(dirname(file), baseUrl, target)) : []
    if (!specifier.startsWith(before) || !specifier.endsWith(after)) return []
    const matched = specifier.slice(before.length, specifier.length - after.length)
    return targets.map((target) =>
      resolve(
        dirname(file),
        baseUrl,
        target.replace('*', () => matched),
      ),
    )
  })
}

function findUpwards(from: string, name: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return join(folder, name)
    if (dirname(folder) === folder) return null
  }
}

/** tsconfig.json is JSON with comments and trailing commas; strings are kept as they are. */
function readTypeScriptConfig(file: string): TypeScriptConfig {
  const text = readFileSync(file, 'utf8')
    .replaceAll(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string: string | undefined) => string ?? '')
    .replaceAll(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? '')
  try {
    return JSON.parse(text)
  } catch {
    // The import that could not be found is the error to report, not this file.
    return {}
  }
}
