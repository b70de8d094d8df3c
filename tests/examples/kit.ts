/** Examples as their users install and run them. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { statusOf, until } from '../daemon/project.ts'
import { freePort } from '../kit/servers/index.ts'
import { keptFolder, spawnKept } from '../kit/servers/keeper.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Copies an example, with the packages of the repository and its own program as `latchkey`. @returns its folder */
export function copyExample(name: string): string {
  const folder = join(keptFolder(name), 'app')
  cpSync(join(root, 'examples', name), folder, { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  const installed = readdirSync(join(root, 'node_modules')).filter((entry) => !entry.startsWith('.') && entry !== 'latchkey')
  for (const entry of installed) symlinkSync(join(root, 'node_modules', entry), join(folder, 'node_modules', entry))
  symlinkSync(root, join(folder, 'node_modules/latchkey'))
  return folder
}

/**
 * Runs `npm start` of an example, until it responds.
 * @param baseURL of the API of a Latchkey that runs already
 * @returns the address of the app
 */
export async function startExample(folder: string, baseURL: string): Promise<string> {
  const port = await freePort()
  const app = `http://localhost:${port}`
  const child = spawnKept(folder, 'env', [`PORT=${port}`, `LATCHKEY_URL=${baseURL}`, process.execPath, 'server/start.ts'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await until(async () => {
    if (child.exitCode !== null) throw new Error(readFileSync(join(folder, 'output.log'), 'utf8'))
    return [200, 401].includes(await statusOf(app).catch(() => 0))
  }, app)
  return app
}
