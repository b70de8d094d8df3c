/** The public entry `latchkey/config`, for `auth.config.ts`. It has no dependencies, so it loads without packages. */
import type { ConfigFile } from './features/index.ts'

export { digitIds } from './core/digit-ids.ts'
export { refusal } from './core/errors.ts'
export type {
  AfterCallHook,
  AfterCallResult,
  BeforeCallHook,
  BeforeCallResult,
  Config,
  ConfigFile,
  CurrentSession,
  CustomSession,
  ErrorObserver,
  FailedCall,
  HookCall,
  HookOutcome,
  LinkedAccounts,
  ReportedError,
  TokenOwner,
} from './features/index.ts'

/** Types the configuration, for completion and errors in the editor; the daemon checks it again. */
export const defineConfig = (config: ConfigFile): ConfigFile => config
