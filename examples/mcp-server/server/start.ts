/** Starts everything with one command: Latchkey, and the app with its MCP server on port 5174. */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { serve } from '@hono/node-server'
import { createApp } from './app.ts'

const port = Number(process.env.PORT ?? 5174)
const given = process.env.LATCHKEY_URL
const baseURL = given ?? 'http://localhost:4000/api/auth'

if (given === undefined) {
  const manifest = createRequire(import.meta.url).resolve('latchkey/package.json')
  const program = join(dirname(manifest), 'bin/latchkey.js')
  const child = spawn(process.execPath, [program, 'dev', '--port', '4000'], { stdio: 'inherit' })
  child.once('exit', (code) => process.exit(code ?? 1))
}

const app = createApp({ baseURL, appURL: `http://localhost:${port}` })
serve({ fetch: app.fetch, port, hostname: 'localhost' }, () => console.log(`Notes for agents: http://localhost:${port}`))
