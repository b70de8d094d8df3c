import { expect, test } from 'vitest'
import { mailboxOf } from './mailbox.ts'

test.each([
  ['Ann.Smith+shop@GMail.com', 'annsmith@gmail.com'],
  ['a.n.n@googlemail.com', 'ann@gmail.com'],
  ['ann+news@outlook.com', 'ann@outlook.com'],
  ['ann.smith@hotmail.co.uk', 'ann.smith@hotmail.co.uk'],
  ['ann+1@hotmail.co.uk', 'ann@hotmail.co.uk'],
  ['ann+1@live.de', 'ann@live.de'],
  ['ann+1@me.com', 'ann@icloud.com'],
  ['ann.smith@icloud.com', 'ann.smith@icloud.com'],
  ['ann+1@fastmail.com', 'ann@fastmail.com'],
  ['shop@ann.fastmail.com', 'ann@fastmail.com'],
  ['a.n-n_+x@protonmail.com', 'ann@proton.me'],
  ['ann@pm.me', 'ann@proton.me'],
  ['ann-shop@yahoo.com', 'ann@yahoo.com'],
  ['ann.smith@yahoo.co.uk', 'ann.smith@yahoo.co.uk'],
  ['Ann+1@Acme.Example', 'ann+1@acme.example'],
  ['a.nn@acme.example', 'a.nn@acme.example'],
  ['ann+1@gmail.com.acme.example', 'ann+1@gmail.com.acme.example'],
  ['+ann@gmail.com', '+ann@gmail.com'],
  ['...@gmail.com', '...@gmail.com'],
  ['KIRA+I@GMAIL.COM', 'kira@gmail.com'],
])('%s is delivered to %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox)
  expect(mailboxOf(mailbox)).toBe(mailbox)
})

test.each(['', 'ann', '@gmail.com'])('%j has no mailbox', (text) => {
  expect(mailboxOf(text)).toBeNull()
})
