/** Imports `auth.config.ts`. */
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Environment } from './environment.ts'
import { exitCodes } from './exit-codes.ts'
import { CliFailure } from './failure.ts'
import { describeImportError } from './import-error.ts'
import { registerResolveHook } from './resolve-hook.ts'
import { readEnvironment } from './secret-file.ts'

export interface ImportOptions {
  readonly file: string
  readonly cwd: string
  readonly env: Environment
  /** Seconds; a configuration that waits for something that never happens is an error. */
  readonly deadline: number
}

/**
 * @returns the object that the file exports as its default
 * @throws CliFailure CONFIG_SYNTAX, CONFIG_IMPORT_MISSING, CONFIG_THREW, CONFIG_TIMEOUT, CONFIG_NO_DEFAULT
 */
export async function importConfig({ file, cwd, env, deadline }: ImportOptions): Promise<Record<string, unknown>> {
  registerResolveHook()
  const restore = readSecretFilesOnDemand(env)
  try {
    const imported: { readonly default?: unknown } = await before(deadline, file, import(pathToFileURL(file).href))
    return objectOf(imported.default, file)
  } catch (error) {
    throw describeImportError(error, file, cwd)
  } finally {
    restore()
  }
}

async function before<T>(seconds: number, file: string, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = new CliFailure('CONFIG_TIMEOUT', `${basename(file)} was not loaded within ${seconds} seconds`, {
    exitCode: exitCodes.configInvalid,
    hint: 'Look for an `await` at its top level; loading must not need a network or a database.',
  })
  const timer = setTimeout(() => reject(late), seconds * 1000)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

function objectOf(exported: unknown, file: string): Record<string, unknown> {
  // A file written as CommonJS by a compiler has its default one level down.
  const value = isRecord(exported) && exported.__esModule === true ? exported.default : exported
  if (isRecord(value)) return value
  throw new CliFailure('CONFIG_NO_DEFAULT', `${basename(file)} has no object as its default export`, {
    exitCode: exitCodes.configInvalid,
    hint: 'Write `export default defineConfig({ … })`.',
  })
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * While the file is imported, `process.env.NAME` is read from the file that `NAME_FILE` names when only that is set.
 * Only what the configuration asks for is read, and nothing is left in the environment, which children would inherit.
 */
function readSecretFilesOnDemand(env: Environment): () => void {
  if (env !== process.env) return () => {}
  const real = process.env
  const read = (name: string | symbol) =>
    typeof name === 'string' && real[name] === undefined ? readEnvironment(real, name) : Reflect.get(real, name)
  const replace = (replacement: NodeJS.ProcessEnv) => {
    process.env = replacement
    // For a configuration that imports `env` from node:process.
    syncBuiltinESMExports()
  }
  replace(new Proxy(real, { get: (_, name) => read(name) }))
  return () => replace(real)
}
