/** Who may sign up, on the command line: the decision about an address, and users who are created against it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { latchkey, latchkeyJSON } from './kit.ts'
import { options, places } from './projects.ts'

const [create] = Object.values(places)

test('explains the decision with the line of the file, and creates a rejected user only with the flag', async () => {
  if (!create) throw new Error('There is no place')
  const project = await create({ ...options, signUp: { mode: 'closed', blockFile: 'blocked.txt' } } as never)
  writeFileSync(join(project.cwd, 'blocked.txt'), '# spam\n*@evil.example\n')
  const check = async (...args: string[]) =>
    (await latchkeyJSON(project.cwd, ['sign-up', 'check', ...args], project.env)) as never
  const blocked = JSON.stringify(await check('Eve@evil.example', '--by', 'administrator'))
  expect(blocked).toContain('"reason":"domain-blocked"')
  expect(blocked).toContain('"line":2')
  expect(JSON.stringify(await check('ann@example.com'))).toContain('"reason":"closed"')
  expect(JSON.stringify(await check('ann@example.com', '--by', 'operator'))).toContain('"admitted":true')
  const add = ['users', 'create', '--email', 'eve@evil.example', '--name', 'Eve']
  const rejected = await latchkey(project.cwd, add, project.env)
  expect([rejected.exitCode, rejected.stderr]).toEqual([1, expect.stringContaining('--override-sign-up-policy')])
  expect((await latchkey(project.cwd, [...add, '--override-sign-up-policy'], project.env)).exitCode).toBe(0)
}, 90_000)
