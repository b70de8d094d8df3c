import { createDecipheriv, scryptSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { readLines } from '../../lib/lines.ts'
import { decrypt, encrypt, encryptedSchema } from './encrypted-export.ts'

const passphrase = 'correct horse battery'
const salt = Buffer.alloc(16, 7)
const text = Array.from({ length: 6000 }, (_, number) => `{"user":{"name":"Ünal ${number}"}}\n`).join('')

async function* parts(given: string) {
  for (let at = 0; at < given.length; at += 50_000) yield given.slice(at, at + 50_000)
}
const sealed = async (given = text) =>
  (await Array.fromAsync(encrypt(parts(given), passphrase, salt))).map((line) =>
    JSON.stringify({ schema: encryptedSchema, ...line }),
  )

/** Of `text`: deriving the key takes half a second. */
const whole = sealed()
const wholeSealed = async () => [...(await whole)]

async function open(lines: readonly string[], given = passphrase): Promise<string> {
  async function* source() {
    yield Buffer.from(lines.map((line) => `${line}\n`).join(''))
  }
  return Buffer.concat(await Array.fromAsync(decrypt(readLines(source()), given, 'users.ndjson'))).toString()
}

test('an export opens with its passphrase only', async () => {
  const lines = await wholeSealed()
  expect(lines.length).toBeGreaterThan(3)
  expect(lines.join()).not.toContain('user')
  expect(await open(lines)).toBe(text)
  expect(await open(await sealed(''))).toBe('')
  await expect(open(lines, 'correct horse batterz')).rejects.toMatchObject({ code: 'WRONG_PASSPHRASE' })
})

test('the passphrase is the same however its characters are composed', async () => {
  const [composed, decomposed] = ['Schlüssel für alle', 'Schlu\u0308ssel fu\u0308r alle']
  const lines = await Array.fromAsync(encrypt(parts('a'), composed, salt))
  expect(
    await open(
      lines.map((line) => JSON.stringify({ schema: encryptedSchema, ...line })),
      decomposed,
    ),
  ).toBe('a')
})

test('it opens with the documented format', async () => {
  const [header = '', ...pieces] = await wholeSealed()
  expect(JSON.parse(header)).toEqual({ schema: encryptedSchema, kdf: 'scrypt', cost: 17, salt: salt.toString('base64') })
  const key = scryptSync(passphrase, salt, 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 })
  const opened = pieces.map((line, position) => {
    const data = Buffer.from(JSON.parse(line).data, 'base64')
    const nonce = Buffer.alloc(12)
    nonce.writeUInt32BE(position, 7)
    nonce[11] = position === pieces.length - 1 ? 1 : 0
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(data.subarray(-16))
    return Buffer.concat([decipher.update(data.subarray(0, -16)), decipher.final()])
  })
  expect(Buffer.concat(opened).toString()).toBe(text)
})

test.each<[what: string, change: (lines: string[]) => string[], code: string]>([
  ['without its last line', (lines) => lines.slice(0, -1), 'EXPORT_DAMAGED'],
  ['without lines', ([header = '']) => [header], 'EXPORT_DAMAGED'],
  ['with a missing line', (lines) => lines.toSpliced(2, 1), 'EXPORT_DAMAGED'],
  ['with two lines in another order', ([a = '', b = '', c = '', ...more]) => [a, c, b, ...more], 'WRONG_PASSPHRASE'],
  ['with a line twice', (lines) => [...lines, lines.at(-1) ?? ''], 'EXPORT_DAMAGED'],
  ['with a changed line', (lines) => lines.with(2, (lines[2] ?? '').replace(/"data":"./, '"data":"_')), 'EXPORT_DAMAGED'],
  ['with a text in between', (lines) => lines.toSpliced(2, 0, '{"user":{}}'), 'EXPORT_DAMAGED'],
])('an export %s is rejected', async (_, change, code) => {
  await expect(open(change(await wholeSealed()))).rejects.toMatchObject({ code })
})

test.each([{ cost: 30 }, { cost: 1 }, { cost: 17.5 }, { salt: '' }, { salt: 'A'.repeat(1000) }, { kdf: 'md5' }, { r: 1024 }])(
  'parameters are checked before the key is derived: %j',
  async (change) => {
    const [header = '', ...pieces] = await wholeSealed()
    await expect(open([JSON.stringify({ ...JSON.parse(header), ...change }), ...pieces])).rejects.toMatchObject({
      code: 'EXPORT_UNREADABLE',
    })
  },
)
