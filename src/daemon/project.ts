/** Which project a command is about, and who serves it. No configuration is read: it may be the thing that is broken. */
import { configNotFound, findConfigFile, projectDirectory } from '../cli/find-config.ts'
import { notRunning } from './failures.ts'
import { type DaemonState, findDaemon } from './state.ts'

export interface Project {
  /** Absolute path; null when there is none: `dev` does without. */
  readonly config: string | null
  readonly directory: string
}

/** @param configFlag what `--config` says @throws CliFailure CONFIG_NOT_FOUND when it names nothing */
export function findProject(cwd: string, configFlag: string | undefined): Project {
  const config = findConfigFile(cwd, configFlag)
  return { config, directory: config === null ? cwd : projectDirectory(config) }
}

/** @throws CliFailure CONFIG_NOT_FOUND */
export function getProject(cwd: string, configFlag: string | undefined): Project & { readonly config: string } {
  const { config, directory } = findProject(cwd, configFlag)
  if (config === null) throw configNotFound(cwd)
  return { config, directory }
}

/** @throws CliFailure NOT_RUNNING */
export function getDaemon({ directory }: Project): DaemonState {
  const state = findDaemon(directory)
  if (!state) throw notRunning(directory)
  return state
}
