/** The steps of docs/install.md for Docker Compose, without Docker: the commands and variables of compose.yaml, on real servers. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { freshDatabase, freshKeyspace } from '../kit/servers/index.ts'
import { createProject, requireSuccess, secret } from './project.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const service = z.object({ command: z.array(z.string()), environment: z.record(z.string(), z.string()) })
const { services } = z
  .object({ services: z.object({ migrate: service, seed: service }) })
  .parse(parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true }))
const [, command = '[]'] = /^CMD (.*)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? []

test('the services of compose.yaml prepare the database and serve; the administrator can sign in', async () => {
  const [database, keyspace] = [await freshDatabase(), await freshKeyspace()]
  onTestFinished(() => database.drop())
  const { folder, port, origin, api, latchkey } = await createProject('compose')
  cpSync(join(root, 'deploy/compose'), folder, { recursive: true })
  const secrets = join(folder, 'secrets')
  mkdirSync(secrets)
  const password = 'correct horse battery staple'
  const texts = { 'latchkey-secret': secret, 'database-url': database.url, 'admin-password': password }
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(secrets, name), `${text}\n`, { mode: 0o400 })
  const env = Object.fromEntries(
    Object.entries(services.seed.environment).map(([name, value]) => [name, value.replace('/run/secrets', secrets)]),
  )
  const environment = { ...env, LATCHKEY_BASE_URL: origin, REDIS_URL: keyspace.redis.url, NODE_ENV: 'production' }

  const start = [...JSON.parse(command), '--detach'].map((word) => (word === '4000' ? String(port) : word))
  for (const args of [['migrate', 'generate'], services.migrate.command, services.seed.command, start])
    requireSuccess(await latchkey(args, environment))
  // As at the next `docker compose up`.
  for (const args of [services.migrate.command, services.seed.command]) requireSuccess(await latchkey(args, environment))

  const response = await fetch(`${api}/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ email: 'admin@example.com', password }),
  })
  expect(response.status).toBe(200)
  requireSuccess(await latchkey(['stop'], environment))
}, 90_000)
