import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder, latchkey, latchkeyJSON } from './kit.ts'

const env = {
  LATCHKEY_SECRET: '0123456789 abcdefghijklmnopqrstuvwxyz',
  LATCHKEY_BASE_URL: 'http://localhost:3000',
  DATABASE_URL: 'sqlite:./x.db',
}
const project = (nl: string) =>
  folder({ 'auth.config.ts': "export default { dashboard: { texts: './texts' } }\n", 'texts/nl.json': nl })

test('texts export writes all keys, and its file is valid and complete', async () => {
  const cwd = project('{ "sign-in.signIn": "Inloggen" }')
  expect((await latchkey(cwd, ['texts', 'export', '--locale', 'nl', '--out', 'all.json'], env)).exitCode).toBe(0)
  const texts = JSON.parse(readFileSync(join(cwd, 'all.json'), 'utf8'))
  expect(texts).toMatchObject({
    'sign-in.signIn': 'Inloggen',
    'sign-in.signInLead': 'Continue to your {appName} account.',
    'api-keys.inDays': { one: 'In # day', other: 'In # days' },
  })
  const again = await latchkeyJSON(cwd, ['texts', 'export', '--locale', 'nl', '--out', 'all.json'], env)
  expect(again).toMatchObject({ exitCode: 5, document: { code: 'FILE_EXISTS' } })
  const complete = project(JSON.stringify(texts))
  const { stderr, exitCode } = await latchkey(complete, ['config', 'check'], env)
  expect(exitCode).toBe(0)
  expect(stderr).not.toContain('leaves out')
})

test('texts list --missing shows what a file leaves out, and config check counts it', async () => {
  const cwd = project('{ "sign-in.signIn": "Inloggen" }')
  const keysOf = async (...args: string[]) => {
    const { document } = await latchkeyJSON(cwd, ['texts', 'list', ...args], env)
    return (document as { texts: { key: string }[] }).texts.map(({ key }) => key)
  }
  const [all, missing] = [await keysOf(), await keysOf('--locale', 'nl', '--missing')]
  expect(all.filter((key) => !missing.includes(key))).toEqual(['sign-in.signIn'])
  const { stderr } = await latchkey(cwd, ['config', 'check'], env)
  expect(stderr).toContain(`The language nl leaves out ${missing.length} of ${all.length} texts`)
  const { stdout } = await latchkey(cwd, ['config', 'show', '--origin'], env)
  expect(stdout).toMatch(/dashboard\.locales .*"nl"\].*files of dashboard\.texts/)
})

test('texts list needs no valid configuration, and config check names the line of a wrong text', async () => {
  const cwd = project('{\n  "sign-in.signin": "x"\n}')
  const { stdout, exitCode } = await latchkey(cwd, ['texts', 'list'], env)
  expect(exitCode).toBe(0)
  expect(stdout).toContain('sign-in.signIn  "Sign in"')
  const checked = await latchkey(cwd, ['config', 'check'], env)
  expect(checked.exitCode).toBe(8)
  expect(checked.stderr).toContain('texts/nl.json:2: "sign-in.signin" is not the key of a text')
  expect((await latchkey(cwd, ['texts', 'list', '--missing'], env)).exitCode).toBe(2)
  expect(existsSync(join(cwd, 'x.db'))).toBe(false)
})
