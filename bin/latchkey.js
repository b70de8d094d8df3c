#!/usr/bin/env node
// Plain JavaScript that an old Node can run: starts the program, with a newer Node if needed.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

const self = fileURLToPath(import.meta.url)

function isNewEnough(version) {
  const parts = version.split('.').map(Number)
  if (parts[0] === 22) return parts[1] >= 19
  // The first releases of 23 do not strip types, although 22.19 does.
  return parts[0] === 23 ? parts[1] >= 6 : parts[0] > 23
}

function findNode() {
  for (let folder = dirname(self); ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', '.bin', 'node')
    if (existsSync(path)) return path
    if (dirname(folder) === folder) return null
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

function runWith(node) {
  const env = Object.assign({}, process.env, { LATCHKEY_NODE: process.version })
  const child = spawn(node, [...process.execArgv, self, ...process.argv.slice(2)], { stdio: 'inherit', env })
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to both processes. Forwarding it would count as a second Ctrl-C.
      if (signal !== 'SIGINT' || !hasTerminal) child.kill(signal)
    })
  }
  child.on('error', (error) => fail(error.message))
  child.on('exit', (code, signal) => {
    if (!signal) return process.exit(code === null ? 1 : code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/** Without these, V8 uses twice the memory for long exports and imports before it collects garbage. An operator's flags win. */
function limitMemory() {
  const given = process.execArgv
    .concat(process.env.NODE_OPTIONS || '')
    .join(' ')
    .replace(/_/g, '-')
  if (/--(min-|max-)?semi-space|--heap-growing/.test(given)) return
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=40')
}

function runHere() {
  limitMemory()
  // Node's warnings about its experimental APIs do not help users of the command line.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    const isOurs = warning.name === 'ExperimentalWarning' || warning.code === 'MODULE_TYPELESS_PACKAGE_JSON'
    if (!isOurs || process.argv.includes('--debug')) process.stderr.write(`${warning.name}: ${warning.message}\n`)
  })
  const source = new URL('../src/cli/program.ts', import.meta.url)
  const program = existsSync(fileURLToPath(source)) ? source : new URL('../src/cli/program.js', import.meta.url)
  import(program.href)
    .then(({ main }) => main(process.argv.slice(2)))
    .catch((error) => {
      const isIncomplete = error.code === 'ERR_MODULE_NOT_FOUND'
      fail(
        isIncomplete ? `${error.message}\nThe installation is not complete: run npm ci, or install latchkey again.` : error.stack,
      )
    })
}

if (isNewEnough(process.versions.node)) runHere()
else {
  const node = process.env.LATCHKEY_NODE ? null : findNode()
  const advice = 'Install Node.js 24, for example from https://nodejs.org. In the repository, `npm ci` installs it.'
  if (node) runWith(node)
  else fail(`latchkey needs Node.js 22.19 or newer, and this is ${process.version}. ${advice}`)
}
