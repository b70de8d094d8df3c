/** Starts everything with one command: Latchkey, and the app with its API on port 5173. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import react from '@vitejs/plugin-react'
import { createServer as createVite } from 'vite'
import { createAPI } from './api.ts'

const port = Number(process.env.PORT ?? 5173)
const given = process.env.LATCHKEY_URL
const latchkeyURL = given ?? 'http://localhost:4000/api/auth'

if (given === undefined) {
  const manifest = createRequire(import.meta.url).resolve('latchkey/package.json')
  const program = join(dirname(manifest), 'bin/latchkey.js')
  const child = spawn(process.execPath, [program, 'dev', '--port', '4000'], { stdio: 'inherit' })
  child.once('exit', (code) => process.exit(code ?? 1))
}

const api = getRequestListener(createAPI({ baseURL: latchkeyURL, appURL: `http://localhost:${port}` }).fetch)
const isAPI = (url = '') => /^\/(api\/|sign-in$|sign-out$)/.test(url)
const server = createServer((request, response) => {
  if (isAPI(request.url)) void api(request, response)
  else vite.middlewares(request, response)
})
const vite = await createVite({
  configFile: false,
  plugins: [react()],
  server: { middlewareMode: true, hmr: { server } },
})
server.listen(port, 'localhost', () => console.log(`Notes: http://localhost:${port}`))
