import { symmetricEncrypt } from 'better-auth/crypto'
import { expect, test } from 'vitest'
import { hchacha20, openFormerText } from './xchacha.ts'

test('HChaCha20 gives the value of draft-irtf-cfrg-xchacha-03 §2.2.1', () => {
  const key = Buffer.from('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'hex')
  const nonce = Buffer.from('000000090000004a0000000031415927', 'hex')
  expect(hchacha20(key, nonce).toString('hex')).toBe('82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc')
})

const secret = 'an old secret of another product'

test('opens what better-auth has encrypted, of any length', async () => {
  for (const data of ['', 'K7gNU3sdo-OL0wNhqoVWhr3g6s1xYv72', '["aaaaa-bbbbb","ccccc-ddddd"]', 'ä'.repeat(200)]) {
    const sealed = await symmetricEncrypt({ key: secret, data })
    expect(openFormerText(secret, sealed)).toBe(data)
    expect(openFormerText(secret, `$ba$1$${sealed.toUpperCase()}`)).toBe(data)
    expect(openFormerText('another', sealed)).toBeNull()
  }
})

test('opens nothing that was changed, or has another form', async () => {
  const sealed = await symmetricEncrypt({ key: secret, data: 'a text' })
  const changed = `${sealed.slice(0, -1)}${sealed.endsWith('0') ? '1' : '0'}`
  for (const text of [changed, sealed.slice(2), '', 'abc', 'zz', 'ff'.repeat(40), `$ba$x$${sealed}`])
    expect(openFormerText(secret, text)).toBeNull()
})
