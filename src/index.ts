/** The public entry `latchkey/config`, for `auth.config.ts`. It has no dependency: a configuration loads with nothing installed. */
import type { ErrorObserver, FailedCall, ReportedError } from './core/api-errors.ts'
import type {
  AfterCallAnswer,
  AfterCallHook,
  BeforeCallAnswer,
  BeforeCallHook,
  HookCall,
  HookOutcome,
} from './core/call-hooks.ts'
import type { Config, ConfigFile } from './features/index.ts'

export { type RefusalOptions, refusal } from './core/refusal.ts'
export type {
  AfterCallAnswer,
  AfterCallHook,
  BeforeCallAnswer,
  BeforeCallHook,
  Config,
  ConfigFile,
  ErrorObserver,
  FailedCall,
  HookCall,
  HookOutcome,
  ReportedError,
}

/** Gives the configuration its type, for completion and errors while writing; the daemon checks it again. */
export const defineConfig = (config: ConfigFile): ConfigFile => config
