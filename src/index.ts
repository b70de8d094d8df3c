/** The public entry `latchkey/config`, for `auth.config.ts`. It has no dependency: a configuration loads with nothing installed. */
import type { Config, ConfigFile } from './features/index.ts'

export type { Config, ConfigFile }

/** Gives the configuration its type, for completion and errors while writing; the daemon checks it again. */
export const defineConfig = (config: ConfigFile): ConfigFile => config
