import { z } from 'zod'

/** The client that has to wait: an IP address, an account, or both. */
export const limitLookUp = z
  .object({
    account: z.string().max(320, 'PAYLOAD_TOO_LARGE'),
    address: z
      .string()
      .max(64, 'PAYLOAD_TOO_LARGE')
      .refine((text) => text.trim() === '' || /^[\d.]+$|^[\da-f:.]*:[\da-f:.]*$/i.test(text.trim()), 'INVALID_IP_ADDRESS'),
  })
  .refine(({ account, address }) => account.trim() !== '' || address.trim() !== '', {
    message: 'IP_ADDRESS_OR_ACCOUNT_REQUIRED',
    path: ['account'],
  })
