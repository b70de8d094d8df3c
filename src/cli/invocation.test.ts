import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTyped, findInvocation } from './invocation.ts'

/** @param paths of empty programs */
function machine(...paths: string[]): (path: string) => string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'latchkey-invocation-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), '')
  }
  return (path) => join(root, path)
}

const own = 'node_modules/latchkey/bin/latchkey.js'

test('is npx in a project that has the program installed, also when npm has put it on the PATH', () => {
  const at = machine(`app/${own}`, 'app/deep/x')
  mkdirSync(at('app/node_modules/.bin'))
  symlinkSync(at(`app/${own}`), at('app/node_modules/.bin/latchkey'))
  const script = at('app/node_modules/.bin/latchkey')
  for (const cwd of [at('app'), at('app/deep')]) {
    expect(findInvocation({ env: { PATH: at('app/node_modules/.bin') }, cwd, script })).toBe('npx latchkey')
  }
})

test('is npx in the repository, and node with the path elsewhere', () => {
  const at = machine('clone/bin/latchkey.js', 'clone-of-another/x', 'clone/accounts/x', 'two words/bin/latchkey.js')
  const find = (cwd: string, script = 'clone/bin/latchkey.js') => findInvocation({ env: {}, cwd: at(cwd), script: at(script) })
  expect(find('clone')).toBe('npx latchkey')
  expect(find('clone/accounts')).toBe('npx latchkey')
  expect(find('clone-of-another')).toBe(`node ${at('clone/bin/latchkey.js')}`)
  expect(find('clone', 'two words/bin/latchkey.js')).toBe(`node '${at('two words/bin/latchkey.js')}'`)
})

test('is the name alone when the program is on the PATH', () => {
  const at = machine(`lib/${own}`, 'home/x', 'shims/latchkey')
  mkdirSync(at('bin'))
  symlinkSync(at(`lib/${own}`), at('bin/latchkey'))
  const find = (PATH: string) => findInvocation({ env: { PATH }, cwd: at('home'), script: at(`lib/${own}`) })
  expect(find(`/nowhere:${at('bin')}`)).toBe('latchkey')
  expect(find(at('shims'))).toBe('latchkey')
  expect(find('')).toBe(`node ${at(`lib/${own}`)}`)
})

test('contains no escape sequence of LATCHKEY_COMMAND', () => {
  expect(findInvocation({ env: { LATCHKEY_COMMAND: '\x1b[2Jlatchkey' }, cwd: '/' })).toBe('\\u001b[2Jlatchkey')
})

test('is what LATCHKEY_COMMAND says', () => {
  const env = { LATCHKEY_COMMAND: 'docker compose exec latchkey latchkey' }
  expect(findInvocation({ env, cwd: '/' })).toBe('docker compose exec latchkey latchkey')
})

test('replaces the name only before a command', () => {
  const typed = createTyped({ env: { LATCHKEY_COMMAND: 'npx latchkey' }, cwd: '/' })
  expect(typed('Run `latchkey migrate up`, or latchkey seed')).toBe('Run `npx latchkey migrate up`, or npx latchkey seed')
  for (const text of [
    'Install latchkey in the project',
    'my-latchkey dev',
    './latchkey dev',
    'latchkey develops',
    'latchkey 0.1.0',
  ])
    expect(typed(text)).toBe(text)
})
