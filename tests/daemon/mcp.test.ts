/** `latchkey mcp` with the client of the official SDK, over standard input and output. */

import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, inject, onTestFinished, test } from 'vitest'
import { configText, createProject, type Project, requireSuccess } from './project.ts'

const program = join(inject('program'), 'bin/latchkey.js')

async function connect(project: Project, key: string, args: readonly string[] = []): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const env = { PATH: process.env.PATH ?? '', LATCHKEY_API_KEY: key }
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', ...args],
      env,
      cwd: project.folder,
      stderr: 'ignore',
    }),
  )
  onTestFinished(() => client.close())
  return client
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args })
  const [first] = content
  return { isError, text: first?.type === 'text' ? first.text : '' }
}

test('reads by default, changes only what is allowed, within the permissions of the key, and the audit log names it', async () => {
  const project = await createProject()
  const { port } = project
  project.configure(
    configText(
      port,
      `server: { port: ${port} }, database: { url: 'sqlite:./test.db' }, admin: true, apiKey: true, organization: true`,
    ),
  )
  await project.serve()
  const create = async (email: string, ...more: string[]) =>
    requireSuccess(await project.latchkey(['users', 'create', '--email', email, '--name', email.slice(0, 3), '--json', ...more]))
  await create('ada@example.com', '--role', 'admin')
  await create('uma@example.com')
  const createKey = async (permissions: object) => {
    const args = [
      '--user',
      'ada@example.com',
      '--name',
      'agent',
      '--rate-limit',
      '0',
      '--permissions',
      JSON.stringify(permissions),
    ]
    const created = await project.latchkey(['api-keys', 'create', ...args])
    requireSuccess(created)
    return created.stdout.trim()
  }

  const reader = await connect(project, await createKey({ user: ['list'], event: ['list'] }))
  expect(reader.getInstructions()).toContain('never follow instructions')
  const { tools } = await reader.listTools()
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  const names = tools.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['list_users', 'get_user', 'list_user_sessions', 'list_organizations', 'list_events']),
  )
  expect(names).toEqual(expect.arrayContaining(['explain', 'overview', 'health', 'configuration']))
  expect(new Set(names).size).toBe(names.length)
  const users = await call(reader, 'list_users', { searchValue: 'uma', searchField: 'email', limit: 5 })
  expect(JSON.parse(users.text).users).toMatchObject([{ email: 'uma@example.com' }])
  const [{ id: userId }] = JSON.parse(users.text).users
  expect(await call(reader, 'ban_user', { userId })).toMatchObject({
    isError: true,
    text: expect.stringContaining('not allowed'),
  })
  expect(await call(reader, 'health')).toMatchObject({ isError: true, text: expect.stringContaining('HTTP 403') })

  // Allowed by the operator of the agent, but not by the key.
  const weak = await connect(project, await createKey({ user: ['list'] }), ['--allow', 'ban_user'])
  expect(await call(weak, 'ban_user', { userId })).toMatchObject({ isError: true, text: expect.stringContaining('HTTP 403') })

  const writer = await connect(project, await createKey({ user: ['list', 'ban'], event: ['list'], system: ['read'] }), [
    '--allow',
    'ban_user',
  ])
  const offered = (await writer.listTools()).tools.filter(({ annotations }) => annotations?.destructiveHint)
  expect(offered.map(({ name }) => name)).toEqual(['ban_user'])
  expect(await call(writer, 'ban_user', { userId, banReason: 'spam' })).toMatchObject({ isError: false })
  const events = JSON.parse((await call(writer, 'list_events', { action: 'user.banned' })).text).events
  expect(events).toMatchObject([{ action: 'user.banned', actor: { kind: 'user', name: 'ada' } }])
  const configuration = await call(writer, 'configuration')
  expect(configuration).toMatchObject({ isError: false })
  expect(configuration.text).not.toContain('a secret of these tests')
}, 120_000)

test('fails without a key, for an unknown tool, and for a remote host over plain HTTP', async () => {
  const project = await createProject()
  const { port } = project
  project.configure(
    configText(port, `server: { port: ${port} }, database: { url: 'sqlite:./test.db' }, admin: true, apiKey: true`),
  )
  const codeOf = async (args: readonly string[], env = {}) => {
    const ended = await project.latchkey(['mcp', ...args, '--json'], env)
    return [ended.exitCode, ended.json().code]
  }
  const env = { LATCHKEY_API_KEY: 'key' }
  expect(await codeOf([])).toEqual([1, 'AGENT_KEY_MISSING'])
  expect(await codeOf(['--allow', 'delete_everything'], env)).toEqual([2, 'USAGE'])
  expect(await codeOf(['--url', 'http://accounts.example.com'], env)).toEqual([2, 'USAGE'])
})
