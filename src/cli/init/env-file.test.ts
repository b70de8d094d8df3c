import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { completeEnv } from './env-file.ts'

const write = (text: string, databaseUrl: string): string => {
  const answers = {
    appName: '',
    baseUrl: '',
    databaseUrl,
    redisUrl: '',
    signIn: '',
    social: '',
    organizations: '',
    adminEmail: '',
  }
  return completeEnv(text, { answers, env: {}, storesEnvironment: false, cwd: '/', hasMail: false, composeUrl: '' }).text
}

test.each(["it's\\new", 'a "quoted" value', 'with $HOME', 'with # and space', 'both \' and "', 'ends with \\', '`a`'])(
  'reads back the value %s as it was written',
  (value) => {
    for (const text of ['', 'DATABASE_URL=old\n', 'A=1\n']) expect(parseEnv(write(text, value)).DATABASE_URL).toBe(value)
  },
)

test.each(['a\nB=1', 'a\r\nB=1', "'\\n`", '\'"`'])('rejects %j, which .env cannot contain', (value) => {
  expect(() => write('', value)).toThrow('cannot be written to .env')
})

test('rejects a file in which the new line would become part of another value', () => {
  expect(() => write('A="unclosed\nB=2\n', 'it\'s a "value"')).toThrow('unclosed quote')
})
