/** Finds, imports, completes and checks the configuration. */
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { ConfigFault, ConfigShape } from '../core/config.ts'
import type { Config, ConfigFile } from '../features/index.ts'
import { completeConfig, valueAt } from './complete-config.ts'
import type { Environment } from './environment.ts'
import { exitCodes } from './exit-codes.ts'
import { CliFailure } from './failure.ts'
import { configNotFound, findConfigFile, projectDirectory, readDotEnv } from './find-config.ts'
import { importConfig } from './import-config.ts'

/** A value that a flag gives; it wins over environment and file. */
export interface ConfigOverride {
  /** As in `server.port`. */
  readonly path: string
  readonly value: unknown
  /** Such as `--port`, for `config show --origin`. */
  readonly origin: string
}

export interface LoadConfigOptions {
  readonly cwd: string
  /** What --config says; without it the file is looked for in `cwd` and its parents. */
  readonly configFlag?: string | undefined
  /** `process.env`: `.env` beside the configuration fills it before the file is imported. */
  readonly env: Environment
  readonly overrides?: readonly ConfigOverride[]
  /** Used when there is no file and none is named; absent: a failure. */
  readonly fallback?: ConfigFile
}

export interface LoadedConfig {
  readonly config: Config
  /** Absolute; null when the fallback was used. */
  readonly file: string | null
  /**
   * Of the project: `.latchkey/`, `migrations/` and relative paths in the configuration are below it. It is the folder of
   * the file (the one above, when that is called `config`), or `cwd`.
   */
  readonly directory: string
  /** Path of an option → where its value is from: `file`, `environment DATABASE_URL`, `default`, `--port`. */
  readonly origins: ReadonlyMap<string, string>
}

const importDeadline = 10

/**
 * Reloading needs a fresh process: what was imported once stays.
 * @throws CliFailure with exit code 8
 */
export async function loadConfig({ cwd, configFlag, env, overrides = [], fallback }: LoadConfigOptions): Promise<LoadedConfig> {
  const file = findConfigFile(cwd, configFlag)
  if (file === null && fallback === undefined) throw configNotFound(cwd)
  const directory = file === null ? cwd : projectDirectory(file)
  for (const folder of new Set([file === null ? cwd : dirname(file), directory])) readDotEnv(join(folder, '.env'), env)
  const written = file === null ? { ...fallback } : await importConfig({ file, cwd, env, deadline: importDeadline })
  const { input, origins } = completeConfig(written, { env, directory, overrides })
  const [{ parseConfig, configShape }, { featureList }] = await Promise.all([
    import('../core/parse-config.ts'),
    import('../features/index.ts'),
  ])
  const parsed = parseConfig(featureList, input)
  if ('faults' in parsed) throw faultsFailure(parsed.faults, { file, cwd, origins })
  return { config: parsed.config, file, directory, origins: allOrigins(configShape(featureList), written, origins) }
}

/** Every option that has a value of its own, with where it is from. */
function allOrigins(shape: ConfigShape, written: object, given: ReadonlyMap<string, string>): Map<string, string> {
  const origins = new Map<string, string>()
  const walk = (options: ConfigShape, prefix: string): void => {
    for (const [name, option] of Object.entries(options)) {
      const path = prefix + name
      if ('kind' in option) {
        if (option.mode !== 'always')
          origins.set(`${path}.enabled`, valueAt(written, path) === undefined ? sectionOrigin(given, path) : 'file')
        walk(option.shape, `${path}.`)
      } else origins.set(path, given.get(path) ?? (valueAt(written, path) === undefined ? 'default' : 'file'))
    }
  }
  walk(shape, '')
  return origins
}

/** A section that the file does not mention is switched on by what fills one of its options. */
const sectionOrigin = (given: ReadonlyMap<string, string>, path: string): string =>
  [...given].find(([filled]) => filled.startsWith(`${path}.`))?.[1] ?? 'default'

interface Where {
  readonly file: string | null
  readonly cwd: string
  readonly origins: ReadonlyMap<string, string>
}

function faultsFailure(faults: readonly ConfigFault[], { file, cwd, origins }: Where): CliFailure {
  const name = file === null ? 'the built-in configuration' : relative(cwd, file) || file
  const source = file === null ? '' : readFileSync(file, 'utf8')
  const details = faults.map(({ id, path, message, hint }) => {
    const origin = origins.get(path)
    const line = lineOfOption(source, path)
    const place = origin ? ` (from ${origin})` : line === null ? '' : ` (${name}:${line})`
    return { id, path, message: place ? `${message.replace(/\.$/, '')}${place}` : message, ...(hint ? { hint } : {}) }
  })
  const count = details.length === 1 ? 'is one mistake' : `are ${details.length} mistakes`
  return new CliFailure('CONFIG_INVALID', `There ${count} in ${name}`, { exitCode: exitCodes.configInvalid, details })
}

/** The line on which the last name of the path is written, each name after the one before it; null when not certain. */
function lineOfOption(source: string, path: string): number | null {
  let position = 0
  for (const name of path.split('.').filter((part) => !/^\d+$/.test(part))) {
    const rest = source.slice(position)
    const found = rest.search(new RegExp(`(?<![\\w$])['"]?${name.replaceAll(/\W/g, '\\$&')}['"]?\\s*[:,(}]`))
    if (found < 0) return null
    position += found
  }
  return source.slice(0, position).split('\n').length
}
