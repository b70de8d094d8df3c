/** Runs once before the projects that need servers: takes the given ones, or starts private ones. */
import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { dropDatabases, startDatabase } from './servers/databases.ts'
import { endKept } from './servers/keeper.ts'
import { dropKeyspaces } from './servers/keyspaces.ts'
import { pingDatabase } from './servers/mariadb.ts'
import { chromium, ensureParts, mariadb, redis } from './servers/packages.ts'
import { pingRedis, startRedis } from './servers/redis.ts'

/** @returns the end of the run: everything that was started or created is removed, also after a failure */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const givenDatabase = process.env.TEST_DATABASE_URL
  const givenRedis = process.env.TEST_REDIS_URL
  await ensureParts([...(givenDatabase ? [] : [mariadb]), ...(givenRedis ? [] : [redis]), chromium])
  const run = randomBytes(3).toString('hex')
  const databaseUrl = givenDatabase ? await answering('DATABASE_URL', givenDatabase, pingDatabase) : (await startDatabase()).url
  const redisUrl = givenRedis ? await answering('REDIS_URL', givenRedis, pingRedis) : (await startRedis()).url
  project.provide('servers', { databaseUrl, redisUrl, redisIsOwn: !givenRedis, run })
  return async () => {
    try {
      if (givenDatabase) await dropDatabases(databaseUrl, run)
      if (givenRedis) await dropKeyspaces(redisUrl, run)
    } finally {
      await endKept()
    }
  }
}

async function answering(name: string, url: string, ping: (url: string) => Promise<void>): Promise<string> {
  try {
    await ping(url)
    return url
  } catch (error) {
    throw new Error(`the server in ${name} does not answer`, { cause: error })
  }
}
