/** Imports `auth.config.ts` with Node itself: types are stripped, nothing is compiled. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, readFileSync, statSync } from 'node:fs'
import { createRequire, type ModuleHooks, registerHooks, syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { createPathsMatcher, getTsconfig } from 'get-tsconfig'
import { withDeadline } from '../lib/async.ts'
import { isObject, isRecord } from '../lib/objects.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { configFailure, type Failure, interrupted } from './failure.ts'
import { describeImportError } from './import-error.ts'
import type { WatchdogOrder } from './import-watchdog.ts'

/** Against a loop that never ends, or a top-level `await` that never resolves. */
const timeoutMs = 10_000

interface ImportOptions {
  readonly file: string
  readonly cwd: string
  readonly env: Environment
  /** Reports the failure of an import that blocks this process, which then ends. Default: writes it to standard error. */
  readonly onBlocked?: ((failure: Failure) => void) | undefined
}

/**
 * @returns the default export
 * @throws Failure CONFIG_SYNTAX, CONFIG_IMPORT_MISSING, CONFIG_THREW, CONFIG_TIMEOUT, CONFIG_NO_DEFAULT, INTERRUPTED
 */
export async function importConfig({
  file,
  cwd,
  env,
  onBlocked = printBlocked,
}: ImportOptions): Promise<Record<string, unknown>> {
  const isOwnProcess = env === process.env
  const finished = isOwnProcess ? null : await enterQueue()
  const resolveHook = registerResolveHook()
  const restore = replaceEnvironment(env)
  try {
    const imported = isOwnProcess ? await importGuarded(file, onBlocked) : await importAgain(file)
    return objectOf(imported.default, file)
  } catch (error) {
    throw describeImportError(error, file, cwd)
  } finally {
    restore()
    if (!isOwnProcess) resolveHook.deregister()
    finished?.()
  }
}

type Module = Promise<{ readonly default?: unknown }>

/** For a command inside another process, which must not get the module that an earlier command imported. */
function importAgain(file: string): Module {
  const url = pathToFileURL(file)
  url.search = randomUUID()
  return withDeadline(import(url.href), timeoutMs, () => timeoutFailure(file))
}

/** A loop that never ends blocks every timer and signal handler of this process. @throws Failure CONFIG_TIMEOUT, INTERRUPTED */
async function importGuarded(file: string, onBlocked: (failure: Failure) => void): Module {
  const { href } = pathToFileURL(file)
  return isLoaded(file) ? import(href) : await importWatched(file, () => import(href), onBlocked)
}

const require = createRequire(import.meta.url)

/**
 * Loads the modules under `node:vm`, which can stop them, so that the import finds them loaded.
 * @returns false, with nothing executed, if one has a top-level `await`
 */
function isLoaded(file: string): boolean {
  try {
    runInContext('load()', createContext({ load: () => void require(file) }), { timeout: timeoutMs, breakOnSigint: true })
    return true
  } catch (error) {
    // Not `instanceof`: the errors of node:vm belong to the other context.
    const code = isObject(error) && 'code' in error ? error.code : undefined
    if (code === 'ERR_REQUIRE_ASYNC_MODULE') return false
    throw stoppedFailure(code, file) ?? error
  }
}

const stopKey = 'latchkey.stopImport'

/** Starting a thread takes longer than most imports, so only a top-level `await`, which `node:vm` cannot run, pays for it. */
async function importWatched(file: string, work: () => Module, onBlocked: (failure: Failure) => void): Module {
  const failureOf = (code: unknown) => stoppedFailure(code, file) ?? timeoutFailure(file)
  // The watchdog gets SIGINT instead: handlers here would run only after a loop.
  const listeners = process.listeners('SIGINT')
  process.removeAllListeners('SIGINT')
  Reflect.set(globalThis, Symbol.for(stopKey), (code: unknown) => exitBlocked(failureOf(code), onBlocked))
  const workerData: WatchdogOrder = { timeoutMs, stop: `globalThis[Symbol.for('${stopKey}')]` }
  const watchdog = new Worker(watchdogScript, { workerData, env: {}, execArgv: [] })
  try {
    await once(watchdog, 'message')
    const stopped = once(watchdog, 'message').then(([code]) => Promise.reject(failureOf(code)))
    return await Promise.race([work(), stopped])
  } finally {
    Reflect.deleteProperty(globalThis, Symbol.for(stopKey))
    await watchdog.terminate()
    for (const listener of listeners) process.on('SIGINT', listener)
  }
}

function exitBlocked(failure: Failure, onBlocked: (failure: Failure) => void): never {
  onBlocked(failure)
  // Node would print that it waits for a debugger, which the watchdog is.
  closeSync(2)
  process.exit(failure.exitCode)
}

const printBlocked = ({ message, hint }: Failure): void => void process.stderr.write(`${message}. ${hint ?? ''}\n`)

/** @param code of an error of node:vm */
function stoppedFailure(code: unknown, file: string): Failure | null {
  if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return timeoutFailure(file)
  return code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED' ? interrupted() : null
}

let queue = Promise.resolve()

/** Imports replace `process.env`, so two at a time would restore each other's environment. */
async function enterQueue(): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const turn = queue
  queue = promise
  await turn
  return resolve
}

const timeoutFailure = (file: string) =>
  configFailure('CONFIG_TIMEOUT', `Loading ${basename(file)} took longer than ${timeoutMs / 1000} seconds`, {
    hint: 'Look for a loop that does not end, or a top-level `await`. Loading must not need a network or a database.',
  })

function objectOf(exported: unknown, file: string): Record<string, unknown> {
  // In CommonJS that a compiler wrote, the default export is one level deeper.
  const value = isRecord(exported) && exported.__esModule === true ? exported.default : exported
  if (isRecord(value) && !exportsNothing(value, file)) return value
  throw configFailure('CONFIG_NO_DEFAULT', `The default export of ${basename(file)} is not an object`, {
    hint: 'Write `export default defineConfig({ … })`.',
  })
}

/** Without imports and exports, Node loads a file as CommonJS, whose default export is an empty object. */
const exportsNothing = (value: object, file: string): boolean =>
  Object.keys(value).length === 0 && !/\bexports?\b/.test(readFileSync(file, 'utf8'))

/**
 * While the file is imported, `process.env` is `env`, and `process.env.NAME` is read from the file that `NAME_FILE` names when
 * only that is set. Only what the configuration reads is loaded, and nothing stays in the environment, which children inherit.
 */
function replaceEnvironment(env: Environment): () => void {
  const real = process.env
  const read = (name: string | symbol) =>
    typeof name === 'string' && env[name] === undefined ? readEnvironment(env, name) : Reflect.get(env, name)
  const replace = (replacement: NodeJS.ProcessEnv) => {
    process.env = replacement
    // For a configuration that imports `env` from node:process.
    syncBuiltinESMExports()
  }
  replace(new Proxy(env, { get: (_, name) => read(name) }))
  return () => replace(real)
}

// In the published package the same file is JavaScript.
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const entry = new URL(`../index.${extension}`, import.meta.url).href
const watchdogScript = new URL(`./import-watchdog.${extension}`, import.meta.url)

/**
 * Resolves `latchkey/config` to this program, wherever the configuration is: in a folder without `node_modules`, under npx,
 * in a container. Also supports `paths` of a tsconfig.json and imports without an extension, which an editor accepts too.
 */
function registerResolveHook(): ModuleHooks {
  return registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === 'latchkey/config') return { url: entry, shortCircuit: true }
      try {
        return next(specifier, context)
      } catch (error) {
        const found = resolveLikeTypeScript(specifier, context.parentURL)
        if (found === null) throw error
        return next(pathToFileURL(found).href, context)
      }
    },
  })
}

function resolveLikeTypeScript(specifier: string, parent: string | undefined): string | null {
  if (!parent?.startsWith('file:') || parent.includes('/node_modules/')) return null
  const folder = dirname(fileURLToPath(parent))
  const paths = /^\.\.?\//.test(specifier) ? [resolve(folder, specifier)] : mappedPaths(specifier, folder)
  return paths.flatMap(spellings).find((path) => statSync(path, { throwIfNoEntry: false })?.isFile()) ?? null
}

/** The files that TypeScript accepts for an import without an extension or with `.js`. */
const spellings = (path: string): string[] => [
  path,
  ...['.ts', '.mts', '.js', '.mjs', '.json'].map((extension) => path + extension),
  ...(/\.m?js$/.test(path) ? [path.replace(/js$/, 'ts')] : []),
  ...['index.ts', 'index.js'].map((name) => join(path, name)),
]

/** `paths` of the nearest tsconfig.json and those it extends. */
function mappedPaths(specifier: string, folder: string): string[] {
  try {
    const tsconfig = getTsconfig(folder)
    return (tsconfig && createPathsMatcher(tsconfig)?.(specifier)) ?? []
  } catch {
    // The error to report is the import that was not found, not an unreadable tsconfig.json.
    return []
  }
}
