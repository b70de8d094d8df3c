/** What the global set-up has started, or was given, for the whole run. */
import { inject } from 'vitest'

export interface SharedServers {
  /** Address of an account that may create databases and accounts; without a database. */
  readonly databaseUrl: string
  readonly redisUrl: string
  /** Whether the Redis is ours alone, so that its numbered databases may be emptied. */
  readonly redisIsOwn: boolean
  /** Part of every name made in this run. */
  readonly run: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Null in projects that run without servers. */
    servers: SharedServers | null
  }
}

/** @throws Error in a project without servers */
export function sharedServers(): SharedServers {
  const servers = inject('servers')
  if (!servers) throw new Error('this test needs a database server: its project in vitest.config.ts has none')
  return servers
}
