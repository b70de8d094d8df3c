/** The section "Database" of docs/install.md, in a new folder, with the privileges that it grants. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { expect, onTestFinished, test } from 'vitest'
import { databaseSetup } from '../../src/cli/init/database-setup.ts'
import { freePort, freshDatabase } from '../kit/servers/index.ts'
import { createProject, killDaemonOf, statusOf } from './project.ts'

const page = readFileSync(new URL('../../docs/install.md', import.meta.url), 'utf8')
const section = page.slice(page.indexOf('\n## Database\n'), page.indexOf('\n## Docker Compose\n'))
const blocksOf = (language: string) =>
  [...section.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block = '']) => block)

/** @returns the address of the server, and the text of the page with names that no other test uses */
async function prepareNames(): Promise<{ server: URL; inTest: (text: string) => string }> {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  // The steps create it.
  await database.drop()
  const server = new URL(database.url)
  // Names of accounts have up to 32 characters in MySQL.
  const inTest = (text: string) =>
    text
      .replaceAll('latchkey_migrate', `${database.name}_m`)
      .replaceAll(/latchkey(?=\.\*|[':]| CHARACTER)|(?<=:3306\/)latchkey/g, database.name)
      .replaceAll('127.0.0.1:3306', server.host)
  server.pathname = '/'
  return { server, inTest }
}

async function execute(server: URL, statements: string): Promise<void> {
  const connection = await createConnection({ uri: server.href, multipleStatements: true })
  await connection.query(statements)
  await connection.end()
}

test('the page has the statements that `init` prints', () => {
  const withoutPasswords = (lines: readonly string[]) => lines.map((line) => line.trim().replace(/BY '.*'/, "BY '…'"))
  const [shown = ''] = blocksOf('sql')
  const printed = databaseSetup('mysql://latchkey:first-password@127.0.0.1:3306/latchkey')?.statements ?? []
  expect(withoutPasswords(shown.trim().split('\n'))).toEqual(withoutPasswords(printed))
})

test('the accounts of the section "Database" can migrate, serve and pass doctor', async () => {
  const { server, inTest } = await prepareNames()
  await execute(server, inTest(blocksOf('sql').join('\n')))
  const project = await createProject('database-setup')
  const folder = join(project.folder, 'accounts')
  onTestFinished(() => killDaemonOf(folder))
  const port = await freePort()
  const env = { NODE_COMPILE_CACHE: '', LATCHKEY_BASE_URL: `http://localhost:${port}` }
  const lines = blocksOf('sh').flatMap((block) => block.split('\n'))
  const commands = lines.flatMap((line) => {
    const [, url, args] = /^ *(?:DATABASE_URL=(\S+) )?latchkey (.*)$/.exec(line) ?? []
    return args === undefined ? [] : [{ args: args.split(' '), own: url === undefined ? {} : { DATABASE_URL: inTest(url) } }]
  })
  expect(commands.map(({ args }) => args[0])).toEqual(['init', 'migrate', 'migrate', 'seed', 'start', 'doctor'])
  for (const { args, own } of commands) {
    const more = args[0] === 'start' ? ['--port', String(port)] : []
    const ended = await project.latchkeyProcess(
      [...args, ...more],
      { ...env, ...own },
      args[0] === 'init' ? project.folder : folder,
    )
    expect(ended, `${args.join(' ')}\n${ended.stdout}${ended.stderr}`).toMatchObject({ exitCode: 0 })
    expect(ended.stdout).not.toContain('✗')
  }
  expect(await statusOf(`http://127.0.0.1:${port}/api/auth/ok`)).toBe(200)
}, 90_000)
