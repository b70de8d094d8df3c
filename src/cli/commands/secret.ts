import { randomBytes } from 'node:crypto'
import { command } from '../command.ts'
import { flag } from '../inputs.ts'

/** 256 bits: more than any hash or cipher made from it can use. */
const bytes = 32

export const secret = command({
  name: 'secret',
  summary: 'Make a strong secret',
  description:
    'To rotate the secret, write a list in the configuration, the new one first: nobody is signed out. Take the old one away after session.expiresIn, 7 days by default.',
  examples: ['latchkey secret', 'latchkey secret --env >> .env'],
  options: [{ flags: '--env', description: 'As a line for .env' }],
  input: (z) => z.object({ env: flag(z) }),
  action: async ({ options, output }) => {
    const made = randomBytes(bytes).toString('base64url')
    output.result('secret/v1', { secret: made }, options.env ? `LATCHKEY_SECRET=${made}` : made)
  },
})
