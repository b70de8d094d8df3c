import { describe, expect, test } from 'vitest'
import { describeError } from './describe-error.ts'

const databaseError = (message: string, sqlState: string, errno: number): Error =>
  Object.assign(new Error(message), { code: 'ER_X', errno, sqlState, sqlMessage: message, sql: `insert 'ann@example.com'` })

describe('describeError', () => {
  test('type, message, frames and code are kept', () => {
    const described = describeError(Object.assign(new TypeError('no such thing'), { code: 'ENOENT' }))
    expect(described).toMatchObject({ type: 'TypeError', message: 'no such thing', code: 'ENOENT' })
    expect(described.stack).toMatch(/^TypeError: no such thing\n {4}at /)
  })
  test('causes are described too, whatever their depth, and never for ever', () => {
    const root = new Error('root')
    const outer = new Error('outer', { cause: new Error('middle', { cause: root }) })
    expect(describeError(outer).cause).toMatchObject({ message: 'middle', cause: { message: 'root' } })
    root.cause = outer
    expect(JSON.stringify(describeError(outer)).length).toBeLessThan(20_000)
  })
  test('a cause that is no error is named by its type only', () => {
    expect(describeError(new Error('x', { cause: 'hunter22' })).cause).toBe('[string]')
  })
  test('the errors of an aggregate are described', () => {
    const described = describeError(new AggregateError([new Error('one'), new Error('two')], ''))
    expect(described.errors?.map((error) => error.message)).toEqual(['one', 'two'])
  })
  test('what a library hangs on its error is left out', () => {
    const error = Object.assign(new Error('WRONGPASS'), { command: { name: 'auth', args: ['hunter22'] } })
    expect(JSON.stringify(describeError(error))).not.toContain('hunter22')
  })
})

describe('the message of a database', () => {
  test('loses the value of a duplicate entry and keeps the key', () => {
    const described = describeError(
      databaseError("Duplicate entry 'o'hara@example.com' for key 'user.user_email'", '23000', 1062),
    )
    expect(described).toMatchObject({
      message: "Duplicate entry '…' for key 'user.user_email'",
      code: 'ER_X',
      errno: 1062,
      sqlState: '23000',
    })
    expect(JSON.stringify(described)).not.toContain('example.com')
  })
  test('loses every other value that it quotes', () => {
    const described = describeError(databaseError("Incorrect datetime value: 'it's me' for column 'x' at row 1", '22007', 1292))
    expect(described.message).toBe("Incorrect datetime value: '…' at row 1")
    expect(describeError(databaseError('Doppelter Eintrag', '23000', 1062)).message).toBe('Doppelter Eintrag')
  })
  test('keeps the names of what does not exist or is not allowed', () => {
    const message = "Table 'latchkey.user' doesn't exist"
    expect(describeError(databaseError(message, '42S02', 1146)).message).toBe(message)
  })
})

describe('a message', () => {
  test('of a JSON parser does not repeat the text', () => {
    let caught: unknown
    try {
      JSON.parse('{"password":hunter22}')
    } catch (error) {
      caught = error
    }
    if (!(caught instanceof Error)) throw new Error('expected an error')
    expect(describeError(caught).message).toBe('Malformed JSON')
    expect(JSON.stringify(describeError(caught))).not.toContain('hunter')
  })
  test('loses credentials in addresses, in the stack too', () => {
    const described = describeError(new Error('connect mysql://app:hunter22@db failed'))
    expect(described.message).toBe('connect mysql://***@db failed')
    expect(described.stack).not.toContain('hunter22')
  })
  test('makes no lines and no colours of its own', () => {
    const described = describeError(new Error('one\n{"level":"error"}\u001b[31m\u0085'))
    expect(described.message).toBe('one\\u000a{"level":"error"}\\u001b[31m\\u0085')
    expect(described.stack.split('\n')[0]).toBe(`Error: ${described.message}`)
  })
})
