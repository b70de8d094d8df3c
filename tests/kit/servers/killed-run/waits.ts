import { once } from 'node:events'
import { test } from 'vitest'
import { keptFolder } from '../keeper.ts'
import { startRedis } from '../redis.ts'
import { sharedServers } from '../shared.ts'

test('never ends', async () => {
  const { databaseUrl, redisUrl } = sharedServers()
  const own = await startRedis()
  const line = JSON.stringify({ urls: [databaseUrl, redisUrl, own.url], folder: keptFolder('mine') })
  process.stdout.write(`\n${line}\n`)
  await once(process, 'a message that never comes')
})
