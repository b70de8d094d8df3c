/**
 * Reads the options of the application's own `auth.ts`, in a process of its own with the packages of the application: the file is code
 * that this program must not run in itself, and that could connect to its database.
 */
import { execFile } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { AuthOptions, Mapping } from '../../features/move/index.ts'
import { errorProperty } from '../../lib/driver-errors.ts'
import { Failure } from '../../project/failure.ts'

/** Ends each attempt to connect. */
const withoutNetwork = `
import net from 'node:net'
import dgram from 'node:dgram'
const refuse = () => { throw new Error('The file may not connect to anything while latchkey reads it') }
net.Socket.prototype.connect = refuse
dgram.Socket.prototype.send = refuse
`

const reader = `
const found = await import(process.argv[1])
const auth = found.auth ?? found.default?.auth ?? found.default
const options = auth?.options ?? auth
if (typeof options !== 'object' || options === null) throw new Error('it exports no auth')
const functions = []
const plain = (value, path, depth) => {
  if (typeof value === 'function') { functions.push(path); return undefined }
  if (typeof value !== 'object' || value === null || depth > 6) return typeof value === 'bigint' ? String(value) : value
  if (Array.isArray(value)) return value.map((one, at) => plain(one, path + '.' + at, depth + 1))
  if (Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null) return undefined
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner, path ? path + '.' + name : name, depth + 1)]))
}
const { plugins = [], database, secret, secondaryStorage, socialProviders, ...rest } = options
const values = plain(rest, '', 0)
const described = plugins.map((plugin) => ({ id: String(plugin?.id), options: plain(plugin?.options ?? {}, 'plugins.' + plugin?.id, 0) ?? {}, schema: plain(plugin?.schema ?? {}, '', 0) }))
process.stdout.write('\\u0000' + JSON.stringify({ values, functions, plugins: described }) + '\\u0000')
process.exit(0)
`

interface ReadFile extends AuthOptions {
  readonly plugins: readonly {
    readonly id: string
    readonly options: Readonly<Record<string, unknown>>
    readonly schema?: unknown
  }[]
}

const timeout = 60_000

/** @throws Failure AUTH_FILE_FAILED */
export async function readAuthFile(
  file: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReadFile> {
  const path = resolve(cwd, file)
  const args = [
    ...['--import', `data:text/javascript,${encodeURIComponent(withoutNetwork)}`],
    ...['--input-type=module', '--eval', reader, pathToFileURL(path).href],
  ]
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      ...{ cwd: dirname(path), env: { ...env, NODE_OPTIONS: '' } as NodeJS.ProcessEnv, timeout, maxBuffer: 16 * 1024 * 1024 },
    })
    const [, text = ''] = stdout.split('\u0000')
    return JSON.parse(text) as ReadFile
  } catch (cause) {
    const lines = String(errorProperty(cause, 'stderr') ?? '').split('\n')
    const reason = lines.find((line) => /^\w*Error/.test(line)) ?? 'it did not end within a minute'
    throw new Failure('AUTH_FILE_FAILED', `${file} could not be read: ${reason}`, {
      hint: 'Leave out --auth: the tables are recognized by their columns, or named with --mapping.',
      cause,
    })
  }
}

/** The names of tables and columns that the file sets. */
export function mappingOf({ values, plugins }: ReadFile): Mapping {
  const mapping: Record<string, { table?: string; columns?: Record<string, string> }> = {}
  const take = (kind: string, given: unknown): void => {
    const { modelName, fields } = Object(given) as { modelName?: unknown; fields?: unknown }
    const columns = Object.entries(Object(fields ?? {})).flatMap(([name, value]) => {
      const column = typeof value === 'string' ? value : Reflect.get(Object(value), 'fieldName')
      // Version 1.2.12 takes this name from another column.
      return typeof column === 'string' && name !== 'refreshTokenExpiresAt' ? [[name, column] as const] : []
    })
    const known = mapping[kind] ?? {}
    mapping[kind] = {
      ...known,
      ...(typeof modelName === 'string' && { table: modelName }),
      ...(columns.length > 0 && { columns: { ...known.columns, ...Object.fromEntries(columns) } }),
    }
  }
  for (const kind of ['user', 'session', 'account', 'verification']) if (values[kind] !== undefined) take(kind, values[kind])
  for (const { schema } of plugins) for (const [kind, given] of Object.entries(Object(schema ?? {}))) take(kind, given)
  return Object.fromEntries(Object.entries(mapping).filter(([, { table, columns }]) => table ?? columns)) as Mapping
}
