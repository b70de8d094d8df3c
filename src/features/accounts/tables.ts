import { hidden, id, index, nullable, references, string, text, timestamp, uniqueIndex } from '../../core/table.ts'

export const tables = {
  account: {
    id: id(),
    accountId: string({ length: 255 }),
    providerId: string({ length: 64 }),
    userId: references('user'),
    accessToken: hidden(nullable(text())),
    refreshToken: hidden(nullable(text())),
    idToken: hidden(nullable(text())),
    accessTokenExpiresAt: nullable(timestamp()),
    refreshTokenExpiresAt: nullable(timestamp()),
    scope: nullable(text()),
    password: hidden(nullable(text())),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
}

export const indexes = { account: [index('userId'), uniqueIndex('providerId', 'accountId')] }
