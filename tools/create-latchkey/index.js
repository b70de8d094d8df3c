#!/usr/bin/env node
// `npm create latchkey`: runs `latchkey init --package` of the package that this one depends on.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../bin/latchkey.js', import.meta.resolve('latchkey/config')))
const args = [...process.execArgv, program, 'init', '--package', ...process.argv.slice(2)]
// How hints name the program: the new project has it as a dependency.
const env = { LATCHKEY_COMMAND: 'npx latchkey', ...process.env }
const { status, error } = spawnSync(process.execPath, args, { stdio: 'inherit', env })
if (error) process.stderr.write(`${error.message}\n`)
process.exitCode = status ?? 1
