/** Starts everything with one command: Latchkey on port 4000, and Next.js on port 3000. */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

function run(path: string, args: readonly string[]): void {
  const child = spawn(process.execPath, [path, ...args], { stdio: 'inherit' })
  child.once('exit', (code) => process.exit(code ?? 1))
}

run(join(dirname(require.resolve('latchkey/package.json')), 'bin/latchkey.js'), ['dev', '--port', '4000'])
run(require.resolve('next/dist/bin/next'), ['dev', '--port', '3000', '--hostname', 'localhost'])
