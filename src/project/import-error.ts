/** Describes errors of importing the configuration: file, line and a fix. */
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { maskSecrets } from '../lib/redact.ts'
import { configFailure, Failure, type FailureDetail, type FailureOptions } from './failure.ts'

interface Place {
  readonly file: string
  readonly line: number | null
}

/** @param file the configuration; @param cwd for paths as short as the user would write them */
export function describeImportError(error: unknown, file: string, cwd: string): Failure {
  if (error instanceof Failure) return error
  const missing = missingImport(error)
  if (missing) return missingFailure(missing, error, cwd)
  const code = error instanceof SyntaxError ? 'CONFIG_SYNTAX' : 'CONFIG_THREW'
  const message = error instanceof Error ? maskSecrets(error.message) : `a value of type ${typeof error} was thrown`
  const path = written(placeOf(error) ?? { file, line: null }, cwd)
  return failure(code, { path, message }, { hint: hintFor(error), cause: error })
}

function hintFor(error: unknown): string {
  const code = codeOf(error)
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return 'Types are stripped, not compiled: use a plain object instead of an enum or a namespace.'
  if (code === 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING')
    return 'Node does not load TypeScript from node_modules: import the JavaScript of that package.'
  if (error instanceof SyntaxError && error.message.includes('does not provide an export named'))
    return 'Check the spelling of the name; a type is imported with `import type`.'
  if (error instanceof SyntaxError) return 'Fix this line. An editor shows the same error.'
  const cause =
    typeof code === 'string' && networkCodes.has(code) ? 'Loading must not need a network or a database.' : 'Fix this line.'
  return `${cause} Add --debug to see the stack trace.`
}

const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENOTFOUND', 'ETIMEDOUT'])

/** Node's messages for a missing file, package and package entry. */
const missingTexts = [
  /^Cannot find (?:module|package) '([^']+)' imported from (.+)$/,
  /^Directory import '([^']+)' is not supported resolving ES modules imported from (.+)$/,
  /^Package subpath '([^']+)' is not defined by "exports" in .+ imported from (.+)$/,
]

interface MissingImport {
  readonly specifier: string
  readonly importer: string
}

function missingImport(error: unknown): MissingImport | null {
  if (!(error instanceof Error)) return null
  for (const text of missingTexts) {
    const [, specifier, importer] = text.exec(error.message.split('\n')[0] ?? '') ?? []
    if (specifier && importer) return { specifier, importer: toPath(importer) }
  }
  return null
}

function missingFailure({ specifier, importer }: MissingImport, cause: unknown, cwd: string): Failure {
  const isFile = specifier.startsWith('/') || specifier.startsWith('file:')
  const shown = isFile ? relative(cwd, toPath(specifier)) || specifier : specifier
  const place = { file: importer, line: lineOfImport(importer, isFile ? (specifier.split('/').at(-1) ?? specifier) : specifier) }
  const hint = missingHint(specifier, isFile)
  return failure('CONFIG_IMPORT_MISSING', { path: written(place, cwd), message: `cannot find ${shown}` }, { hint, cause })
}

function missingHint(specifier: string, isFile: boolean): string {
  if (isFile) return 'Check the path. It is relative to the importing file.'
  // No name of a package in the registry of npm starts like this.
  if (/^(@\/|~|#)/.test(specifier)) return 'Check the name, and `paths` in tsconfig.json or `imports` in package.json.'
  return `Install it in the project: npm install ${specifier}`
}

function lineOfImport(file: string, name: string): number | null {
  if (!existsSync(file)) return null
  const position = readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line) => /\b(?:import|from|require)\b/.test(line) && line.includes(name))
  return position < 0 ? null : position + 1
}

/** Node writes the place of a syntax error before the stack. For other errors it is the first frame outside Node. */
function placeOf(error: unknown): Place | null {
  if (!(error instanceof Error)) return null
  const [first = '', ...frames] = (error.stack ?? '').split('\n')
  const before = /^(\/.+|file:\/\/.+):(\d+)$/.exec(first) ?? /^(\/[^:]+): .+\(line (\d+) column/.exec(error.message)
  if (before?.[1]) return { file: toPath(before[1]), line: Number(before[2]) }
  for (const frame of frames) {
    const [, path, line] = /(?:^|[\s(])(file:\/\/[^)]+?|\/[^)]+?):(\d+):\d+\)?$/.exec(frame) ?? []
    if (path) return { file: toPath(path), line: Number(line) }
  }
  return null
}

const toPath = (text: string): string => (text.startsWith('file:') ? fileURLToPath(text) : text)
const written = ({ file, line }: Place, cwd: string): string => `${relative(cwd, file) || file}${line === null ? '' : `:${line}`}`
const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

const failure = (code: string, issue: Pick<FailureDetail, 'path' | 'message'>, more: Pick<FailureOptions, 'hint' | 'cause'>) =>
  configFailure(code, `${issue.path}: ${issue.message}`, {
    ...more,
    details: [{ id: code.toLowerCase().replaceAll('_', '-'), ...issue }],
  })
