/** Values of the environment in either of their two forms: `NAME`, or `NAME_FILE` with the path of a file that holds it. */
import { readFileSync, statSync } from 'node:fs'
import type { Environment } from './environment.ts'
import { exitCodes } from './exit-codes.ts'
import { CliFailure } from './failure.ts'

const largest = 65_536

/**
 * @returns undefined when neither form is set; an empty variable counts as not set
 * @throws CliFailure SECRET_FILE_… when both are set, or when the file cannot be read or everybody may read it
 */
export function readEnvironment(env: Environment, name: string): string | undefined {
  const path = env[`${name}_FILE`]
  if (!path) return env[name] || undefined
  if (env[name]) throw fault('SECRET_FILE_AMBIGUOUS', name, 'stands beside the variable without _FILE', 'Set one of the two.')
  return readSecretFile(name, path)
}

/** Which of the two forms is set, for `config show --origin`. */
export const originOf = (env: Environment, name: string): string => `environment ${env[`${name}_FILE`] ? `${name}_FILE` : name}`

function readSecretFile(name: string, path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw fault('SECRET_FILE_MISSING', name, `names ${path}, which does not exist`, 'Check the path.')
  if (!stats.isFile() || stats.size > largest) {
    throw fault(
      'SECRET_FILE_FORM',
      name,
      `names ${path}, which is no file of at most ${largest} bytes`,
      'Name the file that holds the value.',
    )
  }
  if ((stats.mode & 0o004) !== 0) {
    const hint = `Type chmod 600 ${path}; for a secret mounted into a container, mount it with mode 0400 and the user of the daemon as its owner.`
    throw fault('SECRET_FILE_EXPOSED', name, `names ${path}, which everybody on this machine may read`, hint)
  }
  try {
    // Editors and `echo` end a file with a newline that is no part of the value.
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw fault('SECRET_FILE_UNREADABLE', name, `names ${path}, which cannot be read`, 'Check its owner and mode.', cause)
  }
}

const fault = (code: string, name: string, what: string, hint: string, cause?: unknown): CliFailure =>
  new CliFailure(code, `${name}_FILE ${what}`, {
    exitCode: exitCodes.configInvalid,
    hint,
    ...(cause === undefined ? {} : { cause }),
  })
