import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { describeError, errorReason, maskSecrets, printable, redact } from './redact.ts'

describe('maskSecrets', () => {
  test.each([
    ['mysql://app:s3cret@db:3306/x', 'mysql://***@db:3306/x'],
    ['connect to redis://:p@ss@cache:6379 failed', 'connect to redis://***@cache:6379 failed'],
    ['mysql://u:SEK/RET3@h/x', 'mysql://***@h/x'],
    ['mysql://u:12/34@h/x', 'mysql://***@h/x'],
    ['mysql://u:SEK#RET3@h/x', 'mysql://***@h/x'],
    ['mysql://u:SEK?RET3@h/x', 'mysql://***@h/x'],
    ['redis://:a/b@c#d@cache:6379/0 and smtp://u:p/w@mail', 'redis://***@cache:6379/0 and smtp://***@mail'],
    ['https://u:SEK/RET3@proxy/', 'https://***@proxy/'],
    ['https://host/a,mysql://u:12/34@h/x', 'https://host/a,mysql://***@h/x'],
    ['a https://u:p@one/ b https://u:p@two/', 'a https://***@one/ b https://***@two/'],
    ['/verify-email?token=abc.def.ghi&callbackURL=/home', '/verify-email?token=***&callbackURL=/home'],
    ['/callback/github?code=1234&state=5678', '/callback/github?code=***&state=***'],
    ['https://host/?access_token=1234#top', 'https://host/?access_token=***#top'],
  ])('%s becomes %s', (text, masked) => expect(maskSecrets(text)).toBe(masked))

  test.each(['https://host/path?page=2&email=ann@example.com', 'ann@example.com', 'a = b', 'http://127.0.0.1:4000'])(
    '%s stays as it is',
    (text) => expect(maskSecrets(text)).toBe(text),
  )
  test('masks a long text in little CPU time', () => {
    const started = process.threadCpuUsage()
    maskSecrets('://'.repeat(100_000))
    maskSecrets('a://'.repeat(50_000))
    maskSecrets(`${'https://a'.repeat(50_000)}@`)
    maskSecrets(`${'a'.repeat(200_000)}://${'b'.repeat(200_000)}=${'?token'.repeat(20_000)}`)
    expect(process.threadCpuUsage(started).user).toBeLessThan(1_000_000)
  })
})

const databaseError = (message: string, sqlState: string, errno: number): Error =>
  Object.assign(new Error(message), { code: 'ER_X', errno, sqlState, sqlMessage: message, sql: `insert 'ann@example.com'` })

describe('describeError', () => {
  test('keeps type, message, frames and code', () => {
    const described = describeError(Object.assign(new TypeError('no such thing'), { code: 'ENOENT' }))
    expect(described).toMatchObject({ type: 'TypeError', message: 'no such thing', code: 'ENOENT' })
    expect(described.stack).toMatch(/^TypeError: no such thing\n {4}at /)
  })
  test('describes causes too, down to a maximum depth', () => {
    const root = new Error('root')
    const outer = new Error('outer', { cause: new Error('middle', { cause: root }) })
    expect(describeError(outer).cause).toMatchObject({ message: 'middle', cause: { message: 'root' } })
    root.cause = outer
    expect(JSON.stringify(describeError(outer)).length).toBeLessThan(20_000)
  })
  test('describes a cause that is not an error by its type only', () => {
    expect(describeError(new Error('x', { cause: 'hunter22' })).cause).toBe('[string]')
  })
  test('describes the errors of an aggregate', () => {
    const described = describeError(new AggregateError([new Error('one'), new Error('two')], ''))
    expect(described.errors?.map((error) => error.message)).toEqual(['one', 'two'])
  })
  test('omits properties that libraries add to their errors', () => {
    const error = Object.assign(new Error('WRONGPASS'), { command: { name: 'auth', args: ['hunter22'] } })
    expect(JSON.stringify(describeError(error))).not.toContain('hunter22')
  })
})

describe('the message of a database', () => {
  test('contains the key of a duplicate entry but not its value', () => {
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
  test('contains no other quoted value', () => {
    const described = describeError(databaseError("Incorrect datetime value: 'it's me' for column 'x' at row 1", '22007', 1292))
    expect(described.message).toBe("Incorrect datetime value: '…' at row 1")
    expect(describeError(databaseError('Doppelter Eintrag', '23000', 1062)).message).toBe('Doppelter Eintrag')
  })
  test.each([
    ["Table 'latchkey.user' doesn't exist", '42S02', 1146],
    ["Unknown database 'acme'", '42000', 1049],
    ["Access denied for user 'app'@'%' to database 'acme'", '42000', 1044],
    ["Host '172.17.0.1' is not allowed to connect to this MariaDB server", 'HY000', 1130],
    ["User 'app' has exceeded the 'max_user_connections' resource (current value: 5)", '42000', 1226],
    ['Can\'t create table `acme`.`user` (errno: 150 "Foreign key constraint is incorrectly formed")', 'HY000', 1005],
    ["Can't DROP 'user_email'; check that column/key exists", '42000', 1091],
    ["Duplicate key name 'user_email'", '42000', 1061],
    ["Cannot drop index 'user_email': needed in a foreign key constraint", 'HY000', 1553],
    ["BLOB/TEXT column 'data' can't have a default value", '42000', 1101],
    ["Data too long for column 'name' at row 1", '22001', 1406],
    ["Column 'email' cannot be null", '23000', 1048],
    ["Field 'email' doesn't have a default value", 'HY000', 1364],
    ["Check constraint 'user_chk_1' is violated.", 'HY000', 3819],
    ["Unknown collation: 'utf8mb4_0900_bin'", 'HY000', 1273],
    ["Unknown storage engine 'InnoDB'", '42000', 1286],
    ["Can't connect to local server", 'HY000', 2002],
    ["You can't specify target table for update in FROM clause", 'HY000', 1093],
  ])('keeps names: %s', (message, state, number) => {
    expect(describeError(databaseError(message, state, number)).message).toBe(message)
  })
  test.each([
    ["Incorrect string value: '\\xF0\\x9F' for column `acme`.`user`.`name` at row 1", '22007', 1366],
    ["Truncated incorrect DOUBLE value: 'hunter22'", '22007', 1292],
    ["You have an error in your SQL syntax; check the manual near 'hunter22' at line 1", '42000', 1064],
    ["Can't convert 'hunter22' to a number", 'HY000', 9999],
    // The servers cut long messages.
    ["Incorrect value: 'hunter22", '22007', 1366],
    ["Incorrect value: 'it's hunter22", '22007', 1366],
  ])('hides values: %s', (message, state, number) => {
    const shown = describeError(databaseError(message, state, number)).message
    expect(shown).toContain("'…'")
    expect(shown).not.toMatch(/hunter22|xF0/)
    expect(shown.startsWith(message.slice(0, 12))).toBe(true)
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
  test('contains no credentials of URLs, nor does the stack', () => {
    const described = describeError(new Error('connect mysql://app:hunter22@db failed'))
    expect(described.message).toBe('connect mysql://***@db failed')
    expect(described.stack).not.toContain('hunter22')
  })
  test('adds no lines or colours', () => {
    const described = describeError(new Error('one\n{"level":"error"}\u001b[31m\u0085'))
    expect(described.message).toBe('one\\u000a{"level":"error"}\\u001b[31m\\u0085')
    expect(described.stack.split('\n')[0]).toBe(`Error: ${described.message}`)
  })
})

describe('redact', () => {
  test.each([
    'authorization',
    'Proxy-Authorization',
    'cookie',
    'set-cookie',
    'setCookie',
    'cookies',
    'password',
    'newPassword',
    'currentPassword',
    'token',
    'accessToken',
    'refresh_token',
    'secret',
    'clientSecret',
    'apiKey',
    'api_key',
    'x-api-key',
    'privateKey',
    'passphrase',
  ])('the value of %s is left out, at any depth', (name) => {
    expect(JSON.stringify(redact({ [name]: 'hunter22', a: { b: [{ [name]: ['hunter22'] }] } }))).not.toContain('hunter22')
  })
  test.each(['path', 'status', 'requestId', 'tokenHash', 'email', 'key'])('the value of %s stays', (name) => {
    expect(redact({ [name]: 'value' })).toEqual({ [name]: 'value' })
  })
  test('keeps absent values', () => {
    expect(redact({ token: null, cookie: undefined })).toEqual({ token: null, cookie: undefined })
  })
  test('removes the credentials of URLs', () => {
    const url = 'mysql://app:hunter22@db/x'
    expect(redact({ url, parsed: new URL(url) })).toEqual({ url: 'mysql://***@db/x', parsed: 'mysql://***@db/x' })
  })
  test('describes errors at any depth', () => {
    expect(redact({ list: [new Error('one')] })).toMatchObject({ list: [{ type: 'Error', message: 'one' }] })
    expect(redact(new Error('two'))).toMatchObject({ error: { message: 'two' } })
  })
  test('accepts values without a JSON form', () => {
    const circular: Record<string, unknown> = { big: 1n, date: new Date(Number.NaN), bytes: new Uint8Array(3) }
    circular.self = circular
    expect(JSON.parse(JSON.stringify(redact(circular)))).toMatchObject({ big: '1', date: null, bytes: '[3 bytes]' })
  })
  test('does not change its argument', () => {
    const fields = { headers: { cookie: 'a=b' } }
    redact(fields)
    expect(fields).toEqual({ headers: { cookie: 'a=b' } })
  })
})

test('the reason of a failure is its message without credentials', () => {
  expect(errorReason(new Error('connect mysql://app:hunter22@db failed'))).toBe('connect mysql://***@db failed')
  expect(errorReason(new AggregateError([new Error('one'), new Error('two')]))).toBe('one, two')
  expect(errorReason('hunter22')).toBe('unknown reason')
})

test('the reason of a value that does not match its schema is one line, which names the member', () => {
  const { error } = z.object({ user: z.object({ name: z.string() }), at: z.int() }).safeParse({ user: {}, at: 'SECRET' })
  expect(errorReason(error)).toBe(
    'user.name: Invalid input: expected string, received undefined; at: Invalid input: expected number, received string',
  )
})

test('the reason of a failed request is its cause', () => {
  const refused = new Error('connect ECONNREFUSED 192.0.2.1:443')
  const reason = errorReason(new TypeError('fetch failed', { cause: refused }))
  expect(reason).toBe('fetch failed: connect ECONNREFUSED 192.0.2.1:443')
  const several = new AggregateError([refused, new Error('timeout')], '')
  expect(errorReason(new TypeError('fetch failed', { cause: several }))).toContain('192.0.2.1:443, timeout')
  expect(errorReason(new TypeError('fetch failed', { cause: 'hunter22' }))).toBe('fetch failed')
})

test('the reason of a failure quotes no text that comes from elsewhere', async () => {
  const parse = (text: string) => new Response(text).json().catch(errorReason)
  await expect(parse('gho_16C7e42F292c6912')).resolves.toBe('Malformed JSON')
  expect(errorReason(databaseError("Duplicate entry 'ann@example.com' for key 'email'", '23000', 1062))).not.toContain('ann@')
})

test('texts for a terminal end no line, colour nothing and hide no text', () => {
  expect(printable('a\n\u001b[31m\u0000b\u2028c\u202ed\u2066e')).toBe('a\\u000a\\u001b[31m\\u0000b\\u2028c\\u202ed\\u2066e')
  expect(printable('Zoë, 山田, 👩‍👩‍👧, שלום')).toBe('Zoë, 山田, 👩‍👩‍👧, שלום')
})
