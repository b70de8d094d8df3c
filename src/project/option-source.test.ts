import { expect, test } from 'vitest'
import { findOption } from './option-source.ts'

const source = `import { defineConfig } from 'latchkey/config'
// server: { port: 1 }
export default defineConfig({
  appName: 'server: { port: 2 }, [',
  server: {
    'port': Number(process.env.PORT),
    host,
  },
  genericOAuth: {
    config: [
      { providerId: 'one', clientSecret: process.env.ONE },
      {
        providerId: 'two',
        clientSecret: process.env.TWO,
      },
      { providerId: 'three' },
    ],
  },
  hooks: { before() {} },
  mail: mailOptions,
})
`

test.each([
  ['appName', 4, null],
  ['server.port', 6, 'PORT'],
  ['server.host', 7, null],
  ['genericOAuth.config.0.clientSecret', 11, 'ONE'],
  ['genericOAuth.config.1.clientSecret', 14, 'TWO'],
  ['hooks.before', 19, null],
])('finds %s in line %i', (path, line, variable) => {
  expect(findOption(source, path)).toEqual({ line, variable })
})

test.each([
  ['server.workers', 5],
  ['genericOAuth.config.2.clientSecret', 16],
  ['genericOAuth.config.7', 10],
  ['mail.from', 20],
])('finds the section around %s, which is not written, in line %i', (path, line) => {
  expect(findOption(source, path)).toEqual({ line, variable: null })
})

test.each(['session', 'session.expiresIn', '(root)'])('does not find %j', (path) => {
  expect(findOption(source, path)).toBeNull()
})

test('ends for any text', () => {
  for (const text of ['server: {', 'server: [', 'server:', 'server: `${', 'server: {,,}', 'server: { port', "server: '{"])
    expect(() => findOption(text, 'server.port.0')).not.toThrow()
})
