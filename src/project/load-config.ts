/** Finds the project and its configuration; imports, completes and checks the configuration. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type { ConfigIssue } from '../core/config.ts'
import type { Config, ConfigFile } from '../features/index.ts'
import { completeConfig, describeUnset, type Environment, type Options, withValue } from './environment.ts'
import { configFailure, type Failure } from './failure.ts'
import { importConfig } from './import-config.ts'
import { findOption } from './option-source.ts'
import { findStandIns, standInOrigin } from './stand-ins.ts'

/** The value of a flag. It overrides environment and file. */
export interface ConfigOverride {
  /** As in `server.port`. */
  readonly path: string
  readonly value: unknown
  /** Such as `--port`, for `config show --origin`. */
  readonly origin: string
}

export interface LoadConfigOptions {
  readonly cwd: string
  /** The value of --config; without it the file is looked up in `cwd` and its parents. */
  readonly configFlag?: string | undefined
  /** `process.env`: variables of `.env` in the folder of the configuration are added before the file is imported. */
  readonly env: Environment
  readonly overrides?: readonly ConfigOverride[]
  /** Trusted in addition to those of file and environment. */
  readonly addedOrigins?: readonly string[]
  /**
   * Paths of the options that the command needs, such as `baseURL`. Others may read variables that are not set on this machine: they
   * get values that stand in for them. Default: it needs all.
   */
  readonly needs?: readonly string[]
  /** Used if there is no file and no --config. Absent: a missing file is a failure. */
  readonly fallback?: ConfigFile
  /** Reports the failure of a file whose import blocks this process, which then ends. Default: writes it to standard error. */
  readonly onBlocked?: ((failure: Failure) => void) | undefined
}

export interface LoadedConfig {
  readonly config: Config
  /** Absolute; null when the fallback was used. */
  readonly file: string | null
  /** Of the project: the base of `.latchkey/`, `migrations/` and relative paths; `cwd` without a file. */
  readonly directory: string
  /** What the file exports. */
  readonly written: object
  /** Origins of the values that are not from the file, by path: `environment DATABASE_URL`, `--port`, `not set` for one that stands in. */
  readonly origins: ReadonlyMap<string, string>
}

/**
 * Within one process, modules are imported once, so reloading needs a fresh process.
 * @throws Failure with exit code 8
 */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  const { cwd, configFlag, env, overrides = [], addedOrigins, needs, fallback, onBlocked } = options
  const { config: file, directory } = (fallback === undefined ? getProject : findProject)(cwd, configFlag)
  for (const folder of new Set([file === null ? cwd : dirname(file), directory])) readDotEnv(join(folder, '.env'), env)
  const written = file === null ? { ...fallback } : await importConfig({ file, cwd, env, onBlocked })
  const { input, origins } = completeConfig(written, { env, directory, overrides, addedOrigins })
  const { parsed, filled } = await parse(input, needs)
  if ('issues' in parsed) throw issuesFailure(parsed.issues, { file, cwd, directory, origins, env })
  for (const path of filled) origins.set(path, standInOrigin)
  return { config: parsed.config, file, directory, written, origins }
}

/** Values that stand in may uncover more issues: of types first, then of the rules between options. */
async function parse(input: Options, needs: LoadConfigOptions['needs'], filled: readonly string[] = []): Promise<Parsed> {
  const { parseConfig } = await import('./config/parse-config.ts')
  const { featureList } = await import('../features/index.ts')
  const parsed = parseConfig(featureList, input)
  const standIns = needs && 'issues' in parsed ? [...findStandIns(input, parsed.issues, [...needs, ...filled])] : []
  if (standIns.length === 0) return { parsed, filled }
  const complete = standIns.reduce((all, [path, value]) => withValue(all, path.split('.'), value), input)
  return parse(complete, needs, [...filled, ...standIns.map(([path]) => path)])
}

interface Parsed {
  readonly parsed: { readonly config: Config } | { readonly issues: readonly ConfigIssue[] }
  /** Paths of the options with a value that stands in. */
  readonly filled: readonly string[]
}

interface Where {
  readonly env: Environment
  readonly file: string | null
  readonly cwd: string
  readonly directory: string
  readonly origins: ReadonlyMap<string, string>
}

function issuesFailure(issues: readonly ConfigIssue[], { env, file, cwd, directory, origins }: Where): Failure {
  const name = file === null ? 'the built-in configuration' : relative(cwd, file) || file
  const source = file === null ? '' : readFileSync(file, 'utf8')
  const dotEnv = readIfPresent(join(directory, '.env')) ?? ''
  const isMissing = ({ id }: ConfigIssue) => id.endsWith('-missing')
  const details = issues.map(({ id, path, message, hint }) => {
    const origin = origins.get(path)
    const found = findOption(source, path)
    const place = origin ? ` (from ${origin})` : found === null ? '' : ` (${name}:${found.line})`
    const unset = isMissing({ id, path, message }) ? describeUnset(path, dotEnv) : describeVariable(env, found?.variable)
    const advice = [unset, hint].filter(Boolean).join(' ')
    return { id, path, message: place ? `${message.replace(/\.$/, '')}${place}` : message, ...(advice ? { hint: advice } : {}) }
  })
  const count = details.length === 1 ? 'is 1 error' : `are ${details.length} errors`
  const isOutside = (issue: ConfigIssue) => isMissing(issue) || origins.has(issue.path)
  const place = file !== null && issues.every(isOutside) ? 'the configuration' : name
  return configFailure('CONFIG_INVALID', `There ${count} in ${place}`, { details })
}

/** An option that reads a variable has no value without it. */
const describeVariable = (env: Environment, name: string | null = null): string | null =>
  name === null || env[name] ? null : `${name} is not set, neither in the environment nor in .env.`

const otherNames = ['js', 'mjs', 'cjs', 'mts', 'cts'].map((extension) => `auth.config.${extension}`)
const names = ['auth.config.ts', join('config', 'auth.config.ts')]

/**
 * @param configFlag the value of `--config`
 * @returns an absolute path; null without the flag if there is none in `cwd` or above
 * @throws Failure CONFIG_NOT_FOUND if the file of the flag does not exist
 */
export function findConfigFile(cwd: string, configFlag: string | undefined): string | null {
  if (configFlag !== undefined) return existingFile(resolve(cwd, configFlag), configFlag)
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const found = names.map((name) => join(folder, name)).find((path) => isFile(path))
    if (found) return found
    if (dirname(folder) === folder) return null
  }
}

function existingFile(path: string, configFlag: string): string {
  if (isFile(path)) {
    if (/\.[cm]?[jt]s$/.test(path)) return path
    const hint = 'Write it as a module with a default export, such as auth.config.ts.'
    throw configFailure('CONFIG_SYNTAX', `${configFlag} is not a TypeScript or JavaScript file`, { hint })
  }
  const hint = existsSync(path)
    ? 'It is a folder. Name the file in it.'
    : 'Check --config. Paths are relative to the working directory.'
  throw configFailure('CONFIG_NOT_FOUND', `There is no file ${configFlag}`, { hint })
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

/** The folder of `.latchkey/`, `migrations/` and relative paths: that of the file, or the one above `config/`. */
export function projectDirectory(file: string): string {
  const folder = dirname(file)
  return basename(folder) === 'config' ? dirname(folder) : folder
}

export interface Project {
  /** Absolute path; null if there is none, which only `dev` accepts. */
  readonly config: string | null
  readonly directory: string
}

/** @param configFlag the value of `--config` @throws Failure CONFIG_NOT_FOUND if the file of the flag does not exist */
export function findProject(cwd: string, configFlag: string | undefined): Project {
  const config = findConfigFile(cwd, configFlag)
  return { config, directory: config === null ? cwd : projectDirectory(config) }
}

/** @throws Failure CONFIG_NOT_FOUND */
export function getProject(cwd: string, configFlag: string | undefined): Project & { readonly config: string } {
  const { config, directory } = findProject(cwd, configFlag)
  if (config !== null) return { config, directory }
  const other = otherNames.find((name) => isFile(join(cwd, name)))
  throw configFailure('CONFIG_NOT_FOUND', `No auth.config.ts in ${cwd} or a folder above it`, {
    hint: other
      ? `There is ${other}: rename it, or add --config ${other}.`
      : 'Create one with `latchkey init`, or set its path with --config.',
  })
}

/**
 * Adds the variables of a `.env` file to the environment. A variable that is already set, in either form, keeps its value.
 * @throws Failure ENV_UNREADABLE
 */
function readDotEnv(file: string, env: Environment): void {
  const text = readIfPresent(file)
  if (text === null) return
  const given = new Set(Object.keys(env).filter((name) => env[name] !== undefined))
  for (const [name, value] of Object.entries(parseEnv(text))) {
    const other = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`
    if (!given.has(name) && !given.has(other)) env[name] = value
  }
}

function readIfPresent(file: string): string | null {
  try {
    // Editors of Windows start a file with a byte order mark, which would become part of the first name.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null
    throw configFailure('ENV_UNREADABLE', `Cannot read ${file}`, { hint: 'Check its owner and mode.', cause })
  }
}
